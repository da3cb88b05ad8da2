@0xb1d6c3f04a9e7f52;
# bench/stubs/pfs.idl for Cap'n Proto.
struct OpenCall { client @0 :Int64; fobj @1 :Int64; flags @2 :Int64; mode @3 :Int64; }
struct OpenReply { result @0 :Int64; handle @1 :Int64; }
struct WriteCall { handle @0 :Int64; pos @1 :Int64; len @2 :Int64; data @3 :Data; }
struct WriteReply { result @0 :Int64; pos @1 :Int64; }
struct GetDirentriesCall { handle @0 :Int64; pos @1 :Int64; count @2 :Int64; }
struct GetDirentriesReply { result @0 :Int64; pos @1 :Int64; data @2 :Data; }
