import java.util.*;
public class ErrorNullMore {
  ErrorNullMore next; int[] a; long[] l; double[] d; ErrorNullMore[][] grid; String s; static ErrorNullMore root; static int[] sa; int i; long big; byte[] by; boolean[] bo; char[] ch; short[] sh; float[] fl;
  interface Op { void run(); }
  static void t(Op o){ try { o.run(); System.out.println("none"); } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
  ErrorNullMore m(int x, long y, String z, Object[] o, StringBuilder b, int[][] q, java.lang.StringBuffer sbf){ return null; }
  static ErrorNullMore sm(ErrorNullMore... n){ return null; }
  static int idx(){ return 1; }
  void inst(int p, long q, ErrorNullMore r, ErrorNullMore[] rs, double w, int[] arr) {
    t0(() -> {}, r);
    try { r.next.i++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { rs[p].next = r; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { arr[p++] = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { arr[p] = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { this.next.next.next = null; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { grid[p + 1][p].i = 4; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { grid[3][p].i = 4; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    p = 2; ErrorNullMore loc = r;
    try { arr[p] = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { loc.big = 4L; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    r = null;
    try { r.big += 4L; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { (p > 1 ? r : loc).big += 4L; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { for (ErrorNullMore n : rs) System.out.println(n); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { synchronized (r) {} } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { switch (s) { case "a": } } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { switch (th) { case NEW: } } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { next.m(1, 2L, s, null, null, null, null).i = 4; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { m(1, 2L, s, null, null, null, null).next.next.i = 4; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { String x = s + s.length(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { int x = map.get("x"); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { int x = map.get("x") + 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { ((ErrorNullMore) obj).i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { ((ErrorNullMore[]) obj)[2].i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { throw (RuntimeException) obj; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { Objects.requireNonNull(obj); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { System.arraycopy(null, 0, null, 0, 1); } catch (NullPointerException e) { System.out.println(e.getMessage() + e.getStackTrace()[0] + e.getStackTrace()[0].isNativeMethod()); }
    try { obj.getClass(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { obj.hashCode(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { Runnable q1 = obj::hashCode; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { throw new NullPointerException(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new ErrorNullMore().inner(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { l[1]++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { d[idx()] += 2; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { by[1] = 2; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { bo[1] = true; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { ch[300] = 'c'; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { sh[70000] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { fl[-1] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { sa[sa[0]]++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { root.next.next.next.next.next.next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    ErrorNullMore n = new ErrorNullMore(); ErrorNullMore z = n; for (int k = 0; k < 3; k++) { z.next = new ErrorNullMore(); z = z.next; }
    try { n.next.next.next.next.next.next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    z.next = new ErrorNullMore(); z.next.next = new ErrorNullMore();
    try { n.next.next.next.next.next.next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    z.next.next.next = new ErrorNullMore();
    try { n.next.next.next.next.next.next.next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    ErrorNullMore[][] g = new ErrorNullMore[2][2]; int[] ix = {0, 1};
    try { g[ix[ix[0]]][ix[1]].i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { g[ix[ix[0]]][ix[idx()]].next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { g[(int) (q - 1)][0].i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { g[ix.length - 1][ix.length].i = 3; } catch (Exception e) { System.out.println(e.getMessage()); }
    try { list.get(0).next.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    for (int k = 0; k < 2; k++) { ErrorNullMore v = k == 0 ? n : null; try { v.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
    try { sm().i++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { int yy = (s == null ? null : s).length(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { ((Integer) null).intValue(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { g[0][1] = null; g[0][1].i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { Optional.of(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { "a".compareTo(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { "a".contains(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new StringBuilder((String) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new java.io.File((String) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new HashMap<String,String>().putAll(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new ArrayList<String>((Collection<String>) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { new TreeMap<String,String>().put(null, "x"); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { Arrays.sort((int[]) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { Arrays.asList((Object[]) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { String.join(null, "a"); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    try { List.of((Object) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
  }
  void inner(ErrorNullMore other) { other.new In(); }
  class In {}
  static List<ErrorNullMore> list = new ArrayList<>(Arrays.asList(new ErrorNullMore()));
  static Thread.State th; static Map<String,Integer> map = new HashMap<>(); static Object obj;
  static void t0(Op o, ErrorNullMore r){}
  public static void main(String[] x){ new ErrorNullMore().inst(1, 2L, null, new ErrorNullMore[3], 1.0, null); }
}
