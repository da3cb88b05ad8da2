@0xe8702f9911637a4a;

# What bench/src/channel.idl says.
interface Echo {
  nothing @0 ();
  echo @1 (data :Data) -> (data :Data);
}
