@0xde75447e25eefefe;

# Messages for what bench/src/iozone/reread.idl says.
struct Open {
  path @0 :Text;
}

struct Read {
  offset @0 :UInt64;
  length @1 :UInt32;
}

struct Record {
  data @0 :Data;
}
