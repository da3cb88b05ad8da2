@0xde75447e25eefefe;

# Messages for what bench/reread/src/reread.idl says of records.
struct Read {
  offset @0 :UInt64;
  length @1 :UInt32;
}

struct Record {
  data @0 :Data;
}
