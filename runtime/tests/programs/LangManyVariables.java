// More variables than registers have names: of all kinds, as parameters, in loops, handlers and recursion, and kept by a collector.
import java.util.*;
public class LangManyVariables {
    static int deep;
    static synchronized String parameters(int p0, long p1, Object p2, double p3, int p4, long p5, Object p6, double p7, int p8,
        long p9, Object p10, double p11, int p12, long p13, Object p14, double p15, int p16, long p17, Object p18, double p19, int
        p20, long p21, Object p22, double p23, int p24, long p25, Object p26, double p27, int p28, long p29, Object p30, double
        p31, int p32, long p33, Object p34, double p35, int p36, long p37, Object p38, double p39, int p40, long p41, Object p42,
        double p43, int p44, long p45, Object p46, double p47, int p48, long p49, Object p50, double p51, int p52, long p53,
        Object p54, double p55, int p56, long p57, Object p58, double p59, int p60, long p61, Object p62, double p63, int p64,
        long p65, Object p66, double p67, int p68, long p69, Object p70, double p71, int p72, long p73, Object p74, double p75,
        int p76, long p77, Object p78, double p79, int p80, long p81, Object p82, double p83, int p84, long p85, Object p86,
        double p87, int p88, long p89, Object p90, double p91, int p92, long p93, Object p94, double p95, int p96, long p97,
        Object p98, double p99, int p100, long p101, Object p102, double p103, int p104, long p105, Object p106, double p107, int
        p108, long p109, Object p110, double p111, int p112, long p113, Object p114, double p115, int p116, long p117, Object
        p118, double p119, int p120, long p121, Object p122, double p123, int p124, long p125, Object p126, double p127, int p128,
        long p129, Object p130, double p131, int p132, long p133, Object p134, double p135, int p136, long p137, Object p138,
        double p139, int p140, long p141, Object p142, double p143, int p144, long p145, Object p146, double p147, int p148, long
        p149, Object p150, double p151, int p152, long p153, Object p154, double p155, int p156, long p157, Object p158, double
        p159) {
        int v0 = 0; int v1 = 1; int v2 = 2; int v3 = 3; int v4 = 4; int v5 = 5; int v6 = 6; int v7 = 7; int v8 = 8; int v9 = 9;
        int v10 = 10; int v11 = 11; int v12 = 12; int v13 = 13; int v14 = 14; int v15 = 15; int v16 = 16; int v17 = 17; int v18 = 18;
        int v19 = 19; int v20 = 20; int v21 = 21; int v22 = 22; int v23 = 23; int v24 = 24; int v25 = 25; int v26 = 26; int v27 = 27;
        int v28 = 28; int v29 = 29; int v30 = 30; int v31 = 31; int v32 = 32; int v33 = 33; int v34 = 34; int v35 = 35; int v36 = 36;
        int v37 = 37; int v38 = 38; int v39 = 39; int v40 = 40; int v41 = 41; int v42 = 42; int v43 = 43; int v44 = 44; int v45 = 45;
        int v46 = 46; int v47 = 47; int v48 = 48; int v49 = 49; int v50 = 50; int v51 = 51; int v52 = 52; int v53 = 53; int v54 = 54;
        int v55 = 55; int v56 = 56; int v57 = 57; int v58 = 58; int v59 = 59; int v60 = 60; int v61 = 61; int v62 = 62; int v63 = 63;
        int v64 = 64; int v65 = 65; int v66 = 66; int v67 = 67; int v68 = 68; int v69 = 69; int v70 = 70; int v71 = 71; int v72 = 72;
        int v73 = 73; int v74 = 74; int v75 = 75; int v76 = 76; int v77 = 77; int v78 = 78; int v79 = 79; int v80 = 80; int v81 = 81;
        int v82 = 82; int v83 = 83; int v84 = 84; int v85 = 85; int v86 = 86; int v87 = 87; int v88 = 88; int v89 = 89; int v90 = 90;
        int v91 = 91; int v92 = 92; int v93 = 93; int v94 = 94; int v95 = 95; int v96 = 96; int v97 = 97; int v98 = 98; int v99 = 99;
        String text = "";
        text += p0 + ","; text += p1 + ","; text += p2 + ","; text += p3 + ","; text += p100 + ","; text += p101 + ",";
        text += p102 + ","; text += p103 + ","; text += p156 + ","; text += p157 + ","; text += p158 + ","; text += p159 + ",";
        p156++; p156 += 5; v99++; v99 += v0; return text + p156 + " " + v99 + " " + v50;
    }
    static long many(int n, String s) {
        int v0 = n + 1; long v1 = n * 2L; Object v2 = s + 3; double v3 = n / 4.5; int v4 = n + 5; long v5 = n * 6L;
        Object v6 = s + 7; double v7 = n / 8.5; int v8 = n + 9; long v9 = n * 10L; Object v10 = s + 11; double v11 = n / 12.5;
        int v12 = n + 13; long v13 = n * 14L; Object v14 = s + 15; double v15 = n / 16.5; int v16 = n + 17; long v17 = n * 18L;
        Object v18 = s + 19; double v19 = n / 20.5; int v20 = n + 21; long v21 = n * 22L; Object v22 = s + 23; double v23 = n / 24.5;
        int v24 = n + 25; long v25 = n * 26L; Object v26 = s + 27; double v27 = n / 28.5; int v28 = n + 29; long v29 = n * 30L;
        Object v30 = s + 31; double v31 = n / 32.5; int v32 = n + 33; long v33 = n * 34L; Object v34 = s + 35; double v35 = n / 36.5;
        int v36 = n + 37; long v37 = n * 38L; Object v38 = s + 39; double v39 = n / 40.5; int v40 = n + 41; long v41 = n * 42L;
        Object v42 = s + 43; double v43 = n / 44.5; int v44 = n + 45; long v45 = n * 46L; Object v46 = s + 47; double v47 = n / 48.5;
        int v48 = n + 49; long v49 = n * 50L; Object v50 = s + 51; double v51 = n / 52.5; int v52 = n + 53; long v53 = n * 54L;
        Object v54 = s + 55; double v55 = n / 56.5; int v56 = n + 57; long v57 = n * 58L; Object v58 = s + 59; double v59 = n / 60.5;
        int v60 = n + 61; long v61 = n * 62L; Object v62 = s + 63; double v63 = n / 64.5; int v64 = n + 65; long v65 = n * 66L;
        Object v66 = s + 67; double v67 = n / 68.5; int v68 = n + 69; long v69 = n * 70L; Object v70 = s + 71; double v71 = n / 72.5;
        int v72 = n + 73; long v73 = n * 74L; Object v74 = s + 75; double v75 = n / 76.5; int v76 = n + 77; long v77 = n * 78L;
        Object v78 = s + 79; double v79 = n / 80.5; int v80 = n + 81; long v81 = n * 82L; Object v82 = s + 83; double v83 = n / 84.5;
        int v84 = n + 85; long v85 = n * 86L; Object v86 = s + 87; double v87 = n / 88.5; int v88 = n + 89; long v89 = n * 90L;
        Object v90 = s + 91; double v91 = n / 92.5; int v92 = n + 93; long v93 = n * 94L; Object v94 = s + 95; double v95 = n / 96.5;
        int v96 = n + 97; long v97 = n * 98L; Object v98 = s + 99; double v99 = n / 100.5; int v100 = n + 101; long v101 = n * 102L;
        Object v102 = s + 103; double v103 = n / 104.5; int v104 = n + 105; long v105 = n * 106L; Object v106 = s + 107;
        double v107 = n / 108.5; int v108 = n + 109; long v109 = n * 110L; Object v110 = s + 111; double v111 = n / 112.5;
        int v112 = n + 113; long v113 = n * 114L; Object v114 = s + 115; double v115 = n / 116.5; int v116 = n + 117;
        long v117 = n * 118L; Object v118 = s + 119; double v119 = n / 120.5; int v120 = n + 121; long v121 = n * 122L;
        Object v122 = s + 123; double v123 = n / 124.5; int v124 = n + 125; long v125 = n * 126L; Object v126 = s + 127;
        double v127 = n / 128.5; int v128 = n + 129; long v129 = n * 130L; Object v130 = s + 131; double v131 = n / 132.5;
        int v132 = n + 133; long v133 = n * 134L; Object v134 = s + 135; double v135 = n / 136.5; int v136 = n + 137;
        long v137 = n * 138L; Object v138 = s + 139; double v139 = n / 140.5; int v140 = n + 141; long v141 = n * 142L;
        Object v142 = s + 143; double v143 = n / 144.5; int v144 = n + 145; long v145 = n * 146L; Object v146 = s + 147;
        double v147 = n / 148.5; int v148 = n + 149; long v149 = n * 150L; Object v150 = s + 151; double v151 = n / 152.5;
        int v152 = n + 153; long v153 = n * 154L; Object v154 = s + 155; double v155 = n / 156.5; int v156 = n + 157;
        long v157 = n * 158L; Object v158 = s + 159; double v159 = n / 160.5; int v160 = n + 161; long v161 = n * 162L;
        Object v162 = s + 163; double v163 = n / 164.5; int v164 = n + 165; long v165 = n * 166L; Object v166 = s + 167;
        double v167 = n / 168.5; int v168 = n + 169; long v169 = n * 170L; Object v170 = s + 171; double v171 = n / 172.5;
        int v172 = n + 173; long v173 = n * 174L; Object v174 = s + 175; double v175 = n / 176.5; int v176 = n + 177;
        long v177 = n * 178L; Object v178 = s + 179; double v179 = n / 180.5; int v180 = n + 181; long v181 = n * 182L;
        Object v182 = s + 183; double v183 = n / 184.5; int v184 = n + 185; long v185 = n * 186L; Object v186 = s + 187;
        double v187 = n / 188.5; int v188 = n + 189; long v189 = n * 190L; Object v190 = s + 191; double v191 = n / 192.5;
        int v192 = n + 193; long v193 = n * 194L; Object v194 = s + 195; double v195 = n / 196.5; int v196 = n + 197;
        long v197 = n * 198L; Object v198 = s + 199; double v199 = n / 200.5; int v200 = n + 201; long v201 = n * 202L;
        Object v202 = s + 203; double v203 = n / 204.5; int v204 = n + 205; long v205 = n * 206L; Object v206 = s + 207;
        double v207 = n / 208.5; int v208 = n + 209; long v209 = n * 210L; Object v210 = s + 211; double v211 = n / 212.5;
        int v212 = n + 213; long v213 = n * 214L; Object v214 = s + 215; double v215 = n / 216.5; int v216 = n + 217;
        long v217 = n * 218L; Object v218 = s + 219; double v219 = n / 220.5; int v220 = n + 221; long v221 = n * 222L;
        Object v222 = s + 223; double v223 = n / 224.5; int v224 = n + 225; long v225 = n * 226L; Object v226 = s + 227;
        double v227 = n / 228.5; int v228 = n + 229; long v229 = n * 230L; Object v230 = s + 231; double v231 = n / 232.5;
        int v232 = n + 233; long v233 = n * 234L; Object v234 = s + 235; double v235 = n / 236.5; int v236 = n + 237;
        long v237 = n * 238L; Object v238 = s + 239; double v239 = n / 240.5; int v240 = n + 241; long v241 = n * 242L;
        Object v242 = s + 243; double v243 = n / 244.5; int v244 = n + 245; long v245 = n * 246L; Object v246 = s + 247;
        double v247 = n / 248.5; int v248 = n + 249; long v249 = n * 250L; Object v250 = s + 251; double v251 = n / 252.5;
        int v252 = n + 253; long v253 = n * 254L; Object v254 = s + 255; double v255 = n / 256.5; int v256 = n + 257;
        long v257 = n * 258L; Object v258 = s + 259; double v259 = n / 260.5; int v260 = n + 261; long v261 = n * 262L;
        Object v262 = s + 263; double v263 = n / 264.5; int v264 = n + 265; long v265 = n * 266L; Object v266 = s + 267;
        double v267 = n / 268.5; int v268 = n + 269; long v269 = n * 270L; Object v270 = s + 271; double v271 = n / 272.5;
        int v272 = n + 273; long v273 = n * 274L; Object v274 = s + 275; double v275 = n / 276.5; int v276 = n + 277;
        long v277 = n * 278L; Object v278 = s + 279; double v279 = n / 280.5; int v280 = n + 281; long v281 = n * 282L;
        Object v282 = s + 283; double v283 = n / 284.5; int v284 = n + 285; long v285 = n * 286L; Object v286 = s + 287;
        double v287 = n / 288.5; int v288 = n + 289; long v289 = n * 290L; Object v290 = s + 291; double v291 = n / 292.5;
        int v292 = n + 293; long v293 = n * 294L; Object v294 = s + 295; double v295 = n / 296.5; int v296 = n + 297;
        long v297 = n * 298L; Object v298 = s + 299; double v299 = n / 300.5;
        long sum = 0;
        for (int far = 0; far < 10; far++) {
            try {
                if (far == 7) { Object none = null; none.hashCode(); }
                if (far == 5) { throw new IllegalStateException("five " + v298); }
                v296++; v0++; sum += far * v296 + v297;
                v298 = v298 + "x"; 
            } catch (IllegalStateException | NullPointerException e) {
                System.out.println(e.getMessage() + " " + far);
            } finally { v297 += far; }
        }
        sum += v0 + v1 + v2.hashCode() + (long) v3; sum += v4 + v5 + v6.hashCode() + (long) v7;
        sum += v8 + v9 + v10.hashCode() + (long) v11; sum += v12 + v13 + v14.hashCode() + (long) v15;
        sum += v16 + v17 + v18.hashCode() + (long) v19; sum += v20 + v21 + v22.hashCode() + (long) v23;
        sum += v24 + v25 + v26.hashCode() + (long) v27; sum += v28 + v29 + v30.hashCode() + (long) v31;
        sum += v32 + v33 + v34.hashCode() + (long) v35; sum += v36 + v37 + v38.hashCode() + (long) v39;
        sum += v40 + v41 + v42.hashCode() + (long) v43; sum += v44 + v45 + v46.hashCode() + (long) v47;
        sum += v48 + v49 + v50.hashCode() + (long) v51; sum += v52 + v53 + v54.hashCode() + (long) v55;
        sum += v56 + v57 + v58.hashCode() + (long) v59; sum += v60 + v61 + v62.hashCode() + (long) v63;
        sum += v64 + v65 + v66.hashCode() + (long) v67; sum += v68 + v69 + v70.hashCode() + (long) v71;
        sum += v72 + v73 + v74.hashCode() + (long) v75; sum += v76 + v77 + v78.hashCode() + (long) v79;
        sum += v80 + v81 + v82.hashCode() + (long) v83; sum += v84 + v85 + v86.hashCode() + (long) v87;
        sum += v88 + v89 + v90.hashCode() + (long) v91; sum += v92 + v93 + v94.hashCode() + (long) v95;
        sum += v96 + v97 + v98.hashCode() + (long) v99; sum += v100 + v101 + v102.hashCode() + (long) v103;
        sum += v104 + v105 + v106.hashCode() + (long) v107; sum += v108 + v109 + v110.hashCode() + (long) v111;
        sum += v112 + v113 + v114.hashCode() + (long) v115; sum += v116 + v117 + v118.hashCode() + (long) v119;
        sum += v120 + v121 + v122.hashCode() + (long) v123; sum += v124 + v125 + v126.hashCode() + (long) v127;
        sum += v128 + v129 + v130.hashCode() + (long) v131; sum += v132 + v133 + v134.hashCode() + (long) v135;
        sum += v136 + v137 + v138.hashCode() + (long) v139; sum += v140 + v141 + v142.hashCode() + (long) v143;
        sum += v144 + v145 + v146.hashCode() + (long) v147; sum += v148 + v149 + v150.hashCode() + (long) v151;
        sum += v152 + v153 + v154.hashCode() + (long) v155; sum += v156 + v157 + v158.hashCode() + (long) v159;
        sum += v160 + v161 + v162.hashCode() + (long) v163; sum += v164 + v165 + v166.hashCode() + (long) v167;
        sum += v168 + v169 + v170.hashCode() + (long) v171; sum += v172 + v173 + v174.hashCode() + (long) v175;
        sum += v176 + v177 + v178.hashCode() + (long) v179; sum += v180 + v181 + v182.hashCode() + (long) v183;
        sum += v184 + v185 + v186.hashCode() + (long) v187; sum += v188 + v189 + v190.hashCode() + (long) v191;
        sum += v192 + v193 + v194.hashCode() + (long) v195; sum += v196 + v197 + v198.hashCode() + (long) v199;
        sum += v200 + v201 + v202.hashCode() + (long) v203; sum += v204 + v205 + v206.hashCode() + (long) v207;
        sum += v208 + v209 + v210.hashCode() + (long) v211; sum += v212 + v213 + v214.hashCode() + (long) v215;
        sum += v216 + v217 + v218.hashCode() + (long) v219; sum += v220 + v221 + v222.hashCode() + (long) v223;
        sum += v224 + v225 + v226.hashCode() + (long) v227; sum += v228 + v229 + v230.hashCode() + (long) v231;
        sum += v232 + v233 + v234.hashCode() + (long) v235; sum += v236 + v237 + v238.hashCode() + (long) v239;
        sum += v240 + v241 + v242.hashCode() + (long) v243; sum += v244 + v245 + v246.hashCode() + (long) v247;
        sum += v248 + v249 + v250.hashCode() + (long) v251; sum += v252 + v253 + v254.hashCode() + (long) v255;
        sum += v256 + v257 + v258.hashCode() + (long) v259; sum += v260 + v261 + v262.hashCode() + (long) v263;
        sum += v264 + v265 + v266.hashCode() + (long) v267; sum += v268 + v269 + v270.hashCode() + (long) v271;
        sum += v272 + v273 + v274.hashCode() + (long) v275; sum += v276 + v277 + v278.hashCode() + (long) v279;
        sum += v280 + v281 + v282.hashCode() + (long) v283; sum += v284 + v285 + v286.hashCode() + (long) v287;
        sum += v288 + v289 + v290.hashCode() + (long) v291; sum += v292 + v293 + v294.hashCode() + (long) v295;
        sum += v296 + v297 + v298.hashCode() + (long) v299;
        Runnable r = () -> System.out.println("captured " + n + s); r.run();
        int[] array = {1, 2, 3}; array[v0 % 3] += v296; sum += array[0] + array[1] * 3 + array[2] * 7;
        return n == 0 ? sum : sum * 31 + many(n - 1, s + n);
    }
    static int down(int n) {
        int v0 = n + 0; int v1 = n + 1; int v2 = n + 2; int v3 = n + 3; int v4 = n + 4; int v5 = n + 5; int v6 = n + 6;
        int v7 = n + 7; int v8 = n + 8; int v9 = n + 9; int v10 = n + 10; int v11 = n + 11; int v12 = n + 12; int v13 = n + 13;
        int v14 = n + 14; int v15 = n + 15; int v16 = n + 16; int v17 = n + 17; int v18 = n + 18; int v19 = n + 19; int v20 = n + 20;
        int v21 = n + 21; int v22 = n + 22; int v23 = n + 23; int v24 = n + 24; int v25 = n + 25; int v26 = n + 26; int v27 = n + 27;
        int v28 = n + 28; int v29 = n + 29; int v30 = n + 30; int v31 = n + 31; int v32 = n + 32; int v33 = n + 33; int v34 = n + 34;
        int v35 = n + 35; int v36 = n + 36; int v37 = n + 37; int v38 = n + 38; int v39 = n + 39; int v40 = n + 40; int v41 = n + 41;
        int v42 = n + 42; int v43 = n + 43; int v44 = n + 44; int v45 = n + 45; int v46 = n + 46; int v47 = n + 47; int v48 = n + 48;
        int v49 = n + 49; int v50 = n + 50; int v51 = n + 51; int v52 = n + 52; int v53 = n + 53; int v54 = n + 54; int v55 = n + 55;
        int v56 = n + 56; int v57 = n + 57; int v58 = n + 58; int v59 = n + 59; int v60 = n + 60; int v61 = n + 61; int v62 = n + 62;
        int v63 = n + 63; int v64 = n + 64; int v65 = n + 65; int v66 = n + 66; int v67 = n + 67; int v68 = n + 68; int v69 = n + 69;
        int v70 = n + 70; int v71 = n + 71; int v72 = n + 72; int v73 = n + 73; int v74 = n + 74; int v75 = n + 75; int v76 = n + 76;
        int v77 = n + 77; int v78 = n + 78; int v79 = n + 79; int v80 = n + 80; int v81 = n + 81; int v82 = n + 82; int v83 = n + 83;
        int v84 = n + 84; int v85 = n + 85; int v86 = n + 86; int v87 = n + 87; int v88 = n + 88; int v89 = n + 89; int v90 = n + 90;
        int v91 = n + 91; int v92 = n + 92; int v93 = n + 93; int v94 = n + 94; int v95 = n + 95; int v96 = n + 96; int v97 = n + 97;
        int v98 = n + 98; int v99 = n + 99; int v100 = n + 100; int v101 = n + 101; int v102 = n + 102; int v103 = n + 103;
        int v104 = n + 104; int v105 = n + 105; int v106 = n + 106; int v107 = n + 107; int v108 = n + 108; int v109 = n + 109;
        int v110 = n + 110; int v111 = n + 111; int v112 = n + 112; int v113 = n + 113; int v114 = n + 114; int v115 = n + 115;
        int v116 = n + 116; int v117 = n + 117; int v118 = n + 118; int v119 = n + 119; int v120 = n + 120; int v121 = n + 121;
        int v122 = n + 122; int v123 = n + 123; int v124 = n + 124; int v125 = n + 125; int v126 = n + 126; int v127 = n + 127;
        int v128 = n + 128; int v129 = n + 129; int v130 = n + 130; int v131 = n + 131; int v132 = n + 132; int v133 = n + 133;
        int v134 = n + 134; int v135 = n + 135; int v136 = n + 136; int v137 = n + 137; int v138 = n + 138; int v139 = n + 139;
        int v140 = n + 140; int v141 = n + 141; int v142 = n + 142; int v143 = n + 143; int v144 = n + 144; int v145 = n + 145;
        int v146 = n + 146; int v147 = n + 147; int v148 = n + 148; int v149 = n + 149; int v150 = n + 150; int v151 = n + 151;
        int v152 = n + 152; int v153 = n + 153; int v154 = n + 154; int v155 = n + 155; int v156 = n + 156; int v157 = n + 157;
        int v158 = n + 158; int v159 = n + 159; int v160 = n + 160; int v161 = n + 161; int v162 = n + 162; int v163 = n + 163;
        int v164 = n + 164; int v165 = n + 165; int v166 = n + 166; int v167 = n + 167; int v168 = n + 168; int v169 = n + 169;
        int v170 = n + 170; int v171 = n + 171; int v172 = n + 172; int v173 = n + 173; int v174 = n + 174; int v175 = n + 175;
        int v176 = n + 176; int v177 = n + 177; int v178 = n + 178; int v179 = n + 179; int v180 = n + 180; int v181 = n + 181;
        int v182 = n + 182; int v183 = n + 183; int v184 = n + 184; int v185 = n + 185; int v186 = n + 186; int v187 = n + 187;
        int v188 = n + 188; int v189 = n + 189; int v190 = n + 190; int v191 = n + 191; int v192 = n + 192; int v193 = n + 193;
        int v194 = n + 194; int v195 = n + 195; int v196 = n + 196; int v197 = n + 197; int v198 = n + 198; int v199 = n + 199;
        int v200 = n + 200; int v201 = n + 201; int v202 = n + 202; int v203 = n + 203; int v204 = n + 204; int v205 = n + 205;
        int v206 = n + 206; int v207 = n + 207; int v208 = n + 208; int v209 = n + 209; int v210 = n + 210; int v211 = n + 211;
        int v212 = n + 212; int v213 = n + 213; int v214 = n + 214; int v215 = n + 215; int v216 = n + 216; int v217 = n + 217;
        int v218 = n + 218; int v219 = n + 219; int v220 = n + 220; int v221 = n + 221; int v222 = n + 222; int v223 = n + 223;
        int v224 = n + 224; int v225 = n + 225; int v226 = n + 226; int v227 = n + 227; int v228 = n + 228; int v229 = n + 229;
        int v230 = n + 230; int v231 = n + 231; int v232 = n + 232; int v233 = n + 233; int v234 = n + 234; int v235 = n + 235;
        int v236 = n + 236; int v237 = n + 237; int v238 = n + 238; int v239 = n + 239; int v240 = n + 240; int v241 = n + 241;
        int v242 = n + 242; int v243 = n + 243; int v244 = n + 244; int v245 = n + 245; int v246 = n + 246; int v247 = n + 247;
        int v248 = n + 248; int v249 = n + 249; int v250 = n + 250; int v251 = n + 251; int v252 = n + 252; int v253 = n + 253;
        int v254 = n + 254; int v255 = n + 255; int v256 = n + 256; int v257 = n + 257; int v258 = n + 258; int v259 = n + 259;
        int v260 = n + 260; int v261 = n + 261; int v262 = n + 262; int v263 = n + 263; int v264 = n + 264; int v265 = n + 265;
        int v266 = n + 266; int v267 = n + 267; int v268 = n + 268; int v269 = n + 269; int v270 = n + 270; int v271 = n + 271;
        int v272 = n + 272; int v273 = n + 273; int v274 = n + 274; int v275 = n + 275; int v276 = n + 276; int v277 = n + 277;
        int v278 = n + 278; int v279 = n + 279; int v280 = n + 280; int v281 = n + 281; int v282 = n + 282; int v283 = n + 283;
        int v284 = n + 284; int v285 = n + 285; int v286 = n + 286; int v287 = n + 287; int v288 = n + 288; int v289 = n + 289;
        int v290 = n + 290; int v291 = n + 291; int v292 = n + 292; int v293 = n + 293; int v294 = n + 294; int v295 = n + 295;
        int v296 = n + 296; int v297 = n + 297; int v298 = n + 298; int v299 = n + 299;
        deep++;
        return down(n + v299) + v298 + v0;
    }
    Object kept() {
        Object v0 = new int[] {0}; Object v1 = new int[] {1}; Object v2 = new int[] {2}; Object v3 = new int[] {3};
        Object v4 = new int[] {4}; Object v5 = new int[] {5}; Object v6 = new int[] {6}; Object v7 = new int[] {7};
        Object v8 = new int[] {8}; Object v9 = new int[] {9}; Object v10 = new int[] {10}; Object v11 = new int[] {11};
        Object v12 = new int[] {12}; Object v13 = new int[] {13}; Object v14 = new int[] {14}; Object v15 = new int[] {15};
        Object v16 = new int[] {16}; Object v17 = new int[] {17}; Object v18 = new int[] {18}; Object v19 = new int[] {19};
        Object v20 = new int[] {20}; Object v21 = new int[] {21}; Object v22 = new int[] {22}; Object v23 = new int[] {23};
        Object v24 = new int[] {24}; Object v25 = new int[] {25}; Object v26 = new int[] {26}; Object v27 = new int[] {27};
        Object v28 = new int[] {28}; Object v29 = new int[] {29}; Object v30 = new int[] {30}; Object v31 = new int[] {31};
        Object v32 = new int[] {32}; Object v33 = new int[] {33}; Object v34 = new int[] {34}; Object v35 = new int[] {35};
        Object v36 = new int[] {36}; Object v37 = new int[] {37}; Object v38 = new int[] {38}; Object v39 = new int[] {39};
        Object v40 = new int[] {40}; Object v41 = new int[] {41}; Object v42 = new int[] {42}; Object v43 = new int[] {43};
        Object v44 = new int[] {44}; Object v45 = new int[] {45}; Object v46 = new int[] {46}; Object v47 = new int[] {47};
        Object v48 = new int[] {48}; Object v49 = new int[] {49}; Object v50 = new int[] {50}; Object v51 = new int[] {51};
        Object v52 = new int[] {52}; Object v53 = new int[] {53}; Object v54 = new int[] {54}; Object v55 = new int[] {55};
        Object v56 = new int[] {56}; Object v57 = new int[] {57}; Object v58 = new int[] {58}; Object v59 = new int[] {59};
        Object v60 = new int[] {60}; Object v61 = new int[] {61}; Object v62 = new int[] {62}; Object v63 = new int[] {63};
        Object v64 = new int[] {64}; Object v65 = new int[] {65}; Object v66 = new int[] {66}; Object v67 = new int[] {67};
        Object v68 = new int[] {68}; Object v69 = new int[] {69}; Object v70 = new int[] {70}; Object v71 = new int[] {71};
        Object v72 = new int[] {72}; Object v73 = new int[] {73}; Object v74 = new int[] {74}; Object v75 = new int[] {75};
        Object v76 = new int[] {76}; Object v77 = new int[] {77}; Object v78 = new int[] {78}; Object v79 = new int[] {79};
        Object v80 = new int[] {80}; Object v81 = new int[] {81}; Object v82 = new int[] {82}; Object v83 = new int[] {83};
        Object v84 = new int[] {84}; Object v85 = new int[] {85}; Object v86 = new int[] {86}; Object v87 = new int[] {87};
        Object v88 = new int[] {88}; Object v89 = new int[] {89}; Object v90 = new int[] {90}; Object v91 = new int[] {91};
        Object v92 = new int[] {92}; Object v93 = new int[] {93}; Object v94 = new int[] {94}; Object v95 = new int[] {95};
        Object v96 = new int[] {96}; Object v97 = new int[] {97}; Object v98 = new int[] {98}; Object v99 = new int[] {99};
        Object v100 = new int[] {100}; Object v101 = new int[] {101}; Object v102 = new int[] {102}; Object v103 = new int[] {103};
        Object v104 = new int[] {104}; Object v105 = new int[] {105}; Object v106 = new int[] {106}; Object v107 = new int[] {107};
        Object v108 = new int[] {108}; Object v109 = new int[] {109}; Object v110 = new int[] {110}; Object v111 = new int[] {111};
        Object v112 = new int[] {112}; Object v113 = new int[] {113}; Object v114 = new int[] {114}; Object v115 = new int[] {115};
        Object v116 = new int[] {116}; Object v117 = new int[] {117}; Object v118 = new int[] {118}; Object v119 = new int[] {119};
        Object v120 = new int[] {120}; Object v121 = new int[] {121}; Object v122 = new int[] {122}; Object v123 = new int[] {123};
        Object v124 = new int[] {124}; Object v125 = new int[] {125}; Object v126 = new int[] {126}; Object v127 = new int[] {127};
        Object v128 = new int[] {128}; Object v129 = new int[] {129}; Object v130 = new int[] {130}; Object v131 = new int[] {131};
        Object v132 = new int[] {132}; Object v133 = new int[] {133}; Object v134 = new int[] {134}; Object v135 = new int[] {135};
        Object v136 = new int[] {136}; Object v137 = new int[] {137}; Object v138 = new int[] {138}; Object v139 = new int[] {139};
        Object v140 = new int[] {140}; Object v141 = new int[] {141}; Object v142 = new int[] {142}; Object v143 = new int[] {143};
        Object v144 = new int[] {144}; Object v145 = new int[] {145}; Object v146 = new int[] {146}; Object v147 = new int[] {147};
        Object v148 = new int[] {148}; Object v149 = new int[] {149}; Object v150 = new int[] {150}; Object v151 = new int[] {151};
        Object v152 = new int[] {152}; Object v153 = new int[] {153}; Object v154 = new int[] {154}; Object v155 = new int[] {155};
        Object v156 = new int[] {156}; Object v157 = new int[] {157}; Object v158 = new int[] {158}; Object v159 = new int[] {159};
        Object v160 = new int[] {160}; Object v161 = new int[] {161}; Object v162 = new int[] {162}; Object v163 = new int[] {163};
        Object v164 = new int[] {164}; Object v165 = new int[] {165}; Object v166 = new int[] {166}; Object v167 = new int[] {167};
        Object v168 = new int[] {168}; Object v169 = new int[] {169}; Object v170 = new int[] {170}; Object v171 = new int[] {171};
        Object v172 = new int[] {172}; Object v173 = new int[] {173}; Object v174 = new int[] {174}; Object v175 = new int[] {175};
        Object v176 = new int[] {176}; Object v177 = new int[] {177}; Object v178 = new int[] {178}; Object v179 = new int[] {179};
        Object v180 = new int[] {180}; Object v181 = new int[] {181}; Object v182 = new int[] {182}; Object v183 = new int[] {183};
        Object v184 = new int[] {184}; Object v185 = new int[] {185}; Object v186 = new int[] {186}; Object v187 = new int[] {187};
        Object v188 = new int[] {188}; Object v189 = new int[] {189}; Object v190 = new int[] {190}; Object v191 = new int[] {191};
        Object v192 = new int[] {192}; Object v193 = new int[] {193}; Object v194 = new int[] {194}; Object v195 = new int[] {195};
        Object v196 = new int[] {196}; Object v197 = new int[] {197}; Object v198 = new int[] {198}; Object v199 = new int[] {199};
        Object v200 = new int[] {200}; Object v201 = new int[] {201}; Object v202 = new int[] {202}; Object v203 = new int[] {203};
        Object v204 = new int[] {204}; Object v205 = new int[] {205}; Object v206 = new int[] {206}; Object v207 = new int[] {207};
        Object v208 = new int[] {208}; Object v209 = new int[] {209}; Object v210 = new int[] {210}; Object v211 = new int[] {211};
        Object v212 = new int[] {212}; Object v213 = new int[] {213}; Object v214 = new int[] {214}; Object v215 = new int[] {215};
        Object v216 = new int[] {216}; Object v217 = new int[] {217}; Object v218 = new int[] {218}; Object v219 = new int[] {219};
        Object v220 = new int[] {220}; Object v221 = new int[] {221}; Object v222 = new int[] {222}; Object v223 = new int[] {223};
        Object v224 = new int[] {224}; Object v225 = new int[] {225}; Object v226 = new int[] {226}; Object v227 = new int[] {227};
        Object v228 = new int[] {228}; Object v229 = new int[] {229}; Object v230 = new int[] {230}; Object v231 = new int[] {231};
        Object v232 = new int[] {232}; Object v233 = new int[] {233}; Object v234 = new int[] {234}; Object v235 = new int[] {235};
        Object v236 = new int[] {236}; Object v237 = new int[] {237}; Object v238 = new int[] {238}; Object v239 = new int[] {239};
        Object v240 = new int[] {240}; Object v241 = new int[] {241}; Object v242 = new int[] {242}; Object v243 = new int[] {243};
        Object v244 = new int[] {244}; Object v245 = new int[] {245}; Object v246 = new int[] {246}; Object v247 = new int[] {247};
        Object v248 = new int[] {248}; Object v249 = new int[] {249}; Object v250 = new int[] {250}; Object v251 = new int[] {251};
        Object v252 = new int[] {252}; Object v253 = new int[] {253}; Object v254 = new int[] {254}; Object v255 = new int[] {255};
        Object v256 = new int[] {256}; Object v257 = new int[] {257}; Object v258 = new int[] {258}; Object v259 = new int[] {259};
        for (int i = 0; i < 200; i++) { byte[] garbage = new byte[1 << 20]; garbage[i] = 1; }
        int sum = 0;
        sum += ((int[]) v0)[0]; sum += ((int[]) v1)[0]; sum += ((int[]) v2)[0]; sum += ((int[]) v3)[0]; sum += ((int[]) v4)[0];
        sum += ((int[]) v5)[0]; sum += ((int[]) v6)[0]; sum += ((int[]) v7)[0]; sum += ((int[]) v8)[0]; sum += ((int[]) v9)[0];
        sum += ((int[]) v10)[0]; sum += ((int[]) v11)[0]; sum += ((int[]) v12)[0]; sum += ((int[]) v13)[0]; sum += ((int[]) v14)[0];
        sum += ((int[]) v15)[0]; sum += ((int[]) v16)[0]; sum += ((int[]) v17)[0]; sum += ((int[]) v18)[0]; sum += ((int[]) v19)[0];
        sum += ((int[]) v20)[0]; sum += ((int[]) v21)[0]; sum += ((int[]) v22)[0]; sum += ((int[]) v23)[0]; sum += ((int[]) v24)[0];
        sum += ((int[]) v25)[0]; sum += ((int[]) v26)[0]; sum += ((int[]) v27)[0]; sum += ((int[]) v28)[0]; sum += ((int[]) v29)[0];
        sum += ((int[]) v30)[0]; sum += ((int[]) v31)[0]; sum += ((int[]) v32)[0]; sum += ((int[]) v33)[0]; sum += ((int[]) v34)[0];
        sum += ((int[]) v35)[0]; sum += ((int[]) v36)[0]; sum += ((int[]) v37)[0]; sum += ((int[]) v38)[0]; sum += ((int[]) v39)[0];
        sum += ((int[]) v40)[0]; sum += ((int[]) v41)[0]; sum += ((int[]) v42)[0]; sum += ((int[]) v43)[0]; sum += ((int[]) v44)[0];
        sum += ((int[]) v45)[0]; sum += ((int[]) v46)[0]; sum += ((int[]) v47)[0]; sum += ((int[]) v48)[0]; sum += ((int[]) v49)[0];
        sum += ((int[]) v50)[0]; sum += ((int[]) v51)[0]; sum += ((int[]) v52)[0]; sum += ((int[]) v53)[0]; sum += ((int[]) v54)[0];
        sum += ((int[]) v55)[0]; sum += ((int[]) v56)[0]; sum += ((int[]) v57)[0]; sum += ((int[]) v58)[0]; sum += ((int[]) v59)[0];
        sum += ((int[]) v60)[0]; sum += ((int[]) v61)[0]; sum += ((int[]) v62)[0]; sum += ((int[]) v63)[0]; sum += ((int[]) v64)[0];
        sum += ((int[]) v65)[0]; sum += ((int[]) v66)[0]; sum += ((int[]) v67)[0]; sum += ((int[]) v68)[0]; sum += ((int[]) v69)[0];
        sum += ((int[]) v70)[0]; sum += ((int[]) v71)[0]; sum += ((int[]) v72)[0]; sum += ((int[]) v73)[0]; sum += ((int[]) v74)[0];
        sum += ((int[]) v75)[0]; sum += ((int[]) v76)[0]; sum += ((int[]) v77)[0]; sum += ((int[]) v78)[0]; sum += ((int[]) v79)[0];
        sum += ((int[]) v80)[0]; sum += ((int[]) v81)[0]; sum += ((int[]) v82)[0]; sum += ((int[]) v83)[0]; sum += ((int[]) v84)[0];
        sum += ((int[]) v85)[0]; sum += ((int[]) v86)[0]; sum += ((int[]) v87)[0]; sum += ((int[]) v88)[0]; sum += ((int[]) v89)[0];
        sum += ((int[]) v90)[0]; sum += ((int[]) v91)[0]; sum += ((int[]) v92)[0]; sum += ((int[]) v93)[0]; sum += ((int[]) v94)[0];
        sum += ((int[]) v95)[0]; sum += ((int[]) v96)[0]; sum += ((int[]) v97)[0]; sum += ((int[]) v98)[0]; sum += ((int[]) v99)[0];
        sum += ((int[]) v100)[0]; sum += ((int[]) v101)[0]; sum += ((int[]) v102)[0]; sum += ((int[]) v103)[0];
        sum += ((int[]) v104)[0]; sum += ((int[]) v105)[0]; sum += ((int[]) v106)[0]; sum += ((int[]) v107)[0];
        sum += ((int[]) v108)[0]; sum += ((int[]) v109)[0]; sum += ((int[]) v110)[0]; sum += ((int[]) v111)[0];
        sum += ((int[]) v112)[0]; sum += ((int[]) v113)[0]; sum += ((int[]) v114)[0]; sum += ((int[]) v115)[0];
        sum += ((int[]) v116)[0]; sum += ((int[]) v117)[0]; sum += ((int[]) v118)[0]; sum += ((int[]) v119)[0];
        sum += ((int[]) v120)[0]; sum += ((int[]) v121)[0]; sum += ((int[]) v122)[0]; sum += ((int[]) v123)[0];
        sum += ((int[]) v124)[0]; sum += ((int[]) v125)[0]; sum += ((int[]) v126)[0]; sum += ((int[]) v127)[0];
        sum += ((int[]) v128)[0]; sum += ((int[]) v129)[0]; sum += ((int[]) v130)[0]; sum += ((int[]) v131)[0];
        sum += ((int[]) v132)[0]; sum += ((int[]) v133)[0]; sum += ((int[]) v134)[0]; sum += ((int[]) v135)[0];
        sum += ((int[]) v136)[0]; sum += ((int[]) v137)[0]; sum += ((int[]) v138)[0]; sum += ((int[]) v139)[0];
        sum += ((int[]) v140)[0]; sum += ((int[]) v141)[0]; sum += ((int[]) v142)[0]; sum += ((int[]) v143)[0];
        sum += ((int[]) v144)[0]; sum += ((int[]) v145)[0]; sum += ((int[]) v146)[0]; sum += ((int[]) v147)[0];
        sum += ((int[]) v148)[0]; sum += ((int[]) v149)[0]; sum += ((int[]) v150)[0]; sum += ((int[]) v151)[0];
        sum += ((int[]) v152)[0]; sum += ((int[]) v153)[0]; sum += ((int[]) v154)[0]; sum += ((int[]) v155)[0];
        sum += ((int[]) v156)[0]; sum += ((int[]) v157)[0]; sum += ((int[]) v158)[0]; sum += ((int[]) v159)[0];
        sum += ((int[]) v160)[0]; sum += ((int[]) v161)[0]; sum += ((int[]) v162)[0]; sum += ((int[]) v163)[0];
        sum += ((int[]) v164)[0]; sum += ((int[]) v165)[0]; sum += ((int[]) v166)[0]; sum += ((int[]) v167)[0];
        sum += ((int[]) v168)[0]; sum += ((int[]) v169)[0]; sum += ((int[]) v170)[0]; sum += ((int[]) v171)[0];
        sum += ((int[]) v172)[0]; sum += ((int[]) v173)[0]; sum += ((int[]) v174)[0]; sum += ((int[]) v175)[0];
        sum += ((int[]) v176)[0]; sum += ((int[]) v177)[0]; sum += ((int[]) v178)[0]; sum += ((int[]) v179)[0];
        sum += ((int[]) v180)[0]; sum += ((int[]) v181)[0]; sum += ((int[]) v182)[0]; sum += ((int[]) v183)[0];
        sum += ((int[]) v184)[0]; sum += ((int[]) v185)[0]; sum += ((int[]) v186)[0]; sum += ((int[]) v187)[0];
        sum += ((int[]) v188)[0]; sum += ((int[]) v189)[0]; sum += ((int[]) v190)[0]; sum += ((int[]) v191)[0];
        sum += ((int[]) v192)[0]; sum += ((int[]) v193)[0]; sum += ((int[]) v194)[0]; sum += ((int[]) v195)[0];
        sum += ((int[]) v196)[0]; sum += ((int[]) v197)[0]; sum += ((int[]) v198)[0]; sum += ((int[]) v199)[0];
        sum += ((int[]) v200)[0]; sum += ((int[]) v201)[0]; sum += ((int[]) v202)[0]; sum += ((int[]) v203)[0];
        sum += ((int[]) v204)[0]; sum += ((int[]) v205)[0]; sum += ((int[]) v206)[0]; sum += ((int[]) v207)[0];
        sum += ((int[]) v208)[0]; sum += ((int[]) v209)[0]; sum += ((int[]) v210)[0]; sum += ((int[]) v211)[0];
        sum += ((int[]) v212)[0]; sum += ((int[]) v213)[0]; sum += ((int[]) v214)[0]; sum += ((int[]) v215)[0];
        sum += ((int[]) v216)[0]; sum += ((int[]) v217)[0]; sum += ((int[]) v218)[0]; sum += ((int[]) v219)[0];
        sum += ((int[]) v220)[0]; sum += ((int[]) v221)[0]; sum += ((int[]) v222)[0]; sum += ((int[]) v223)[0];
        sum += ((int[]) v224)[0]; sum += ((int[]) v225)[0]; sum += ((int[]) v226)[0]; sum += ((int[]) v227)[0];
        sum += ((int[]) v228)[0]; sum += ((int[]) v229)[0]; sum += ((int[]) v230)[0]; sum += ((int[]) v231)[0];
        sum += ((int[]) v232)[0]; sum += ((int[]) v233)[0]; sum += ((int[]) v234)[0]; sum += ((int[]) v235)[0];
        sum += ((int[]) v236)[0]; sum += ((int[]) v237)[0]; sum += ((int[]) v238)[0]; sum += ((int[]) v239)[0];
        sum += ((int[]) v240)[0]; sum += ((int[]) v241)[0]; sum += ((int[]) v242)[0]; sum += ((int[]) v243)[0];
        sum += ((int[]) v244)[0]; sum += ((int[]) v245)[0]; sum += ((int[]) v246)[0]; sum += ((int[]) v247)[0];
        sum += ((int[]) v248)[0]; sum += ((int[]) v249)[0]; sum += ((int[]) v250)[0]; sum += ((int[]) v251)[0];
        sum += ((int[]) v252)[0]; sum += ((int[]) v253)[0]; sum += ((int[]) v254)[0]; sum += ((int[]) v255)[0];
        sum += ((int[]) v256)[0]; sum += ((int[]) v257)[0]; sum += ((int[]) v258)[0]; sum += ((int[]) v259)[0];
        return this == null ? null : sum;
    }
    static int failing() {
        int v0 = 0; int v1 = 1; int v2 = 2; int v3 = 3; int v4 = 4; int v5 = 5; int v6 = 6; int v7 = 7; int v8 = 8; int v9 = 9;
        int v10 = 10; int v11 = 11; int v12 = 12; int v13 = 13; int v14 = 14; int v15 = 15; int v16 = 16; int v17 = 17; int v18 = 18;
        int v19 = 19; int v20 = 20; int v21 = 21; int v22 = 22; int v23 = 23; int v24 = 24; int v25 = 25; int v26 = 26; int v27 = 27;
        int v28 = 28; int v29 = 29; int v30 = 30; int v31 = 31; int v32 = 32; int v33 = 33; int v34 = 34; int v35 = 35; int v36 = 36;
        int v37 = 37; int v38 = 38; int v39 = 39; int v40 = 40; int v41 = 41; int v42 = 42; int v43 = 43; int v44 = 44; int v45 = 45;
        int v46 = 46; int v47 = 47; int v48 = 48; int v49 = 49; int v50 = 50; int v51 = 51; int v52 = 52; int v53 = 53; int v54 = 54;
        int v55 = 55; int v56 = 56; int v57 = 57; int v58 = 58; int v59 = 59; int v60 = 60; int v61 = 61; int v62 = 62; int v63 = 63;
        int v64 = 64; int v65 = 65; int v66 = 66; int v67 = 67; int v68 = 68; int v69 = 69; int v70 = 70; int v71 = 71; int v72 = 72;
        int v73 = 73; int v74 = 74; int v75 = 75; int v76 = 76; int v77 = 77; int v78 = 78; int v79 = 79; int v80 = 80; int v81 = 81;
        int v82 = 82; int v83 = 83; int v84 = 84; int v85 = 85; int v86 = 86; int v87 = 87; int v88 = 88; int v89 = 89; int v90 = 90;
        int v91 = 91; int v92 = 92; int v93 = 93; int v94 = 94; int v95 = 95; int v96 = 96; int v97 = 97; int v98 = 98; int v99 = 99;
        int v100 = 100; int v101 = 101; int v102 = 102; int v103 = 103; int v104 = 104; int v105 = 105; int v106 = 106;
        int v107 = 107; int v108 = 108; int v109 = 109; int v110 = 110; int v111 = 111; int v112 = 112; int v113 = 113;
        int v114 = 114; int v115 = 115; int v116 = 116; int v117 = 117; int v118 = 118; int v119 = 119; int v120 = 120;
        int v121 = 121; int v122 = 122; int v123 = 123; int v124 = 124; int v125 = 125; int v126 = 126; int v127 = 127;
        int v128 = 128; int v129 = 129; int v130 = 130; int v131 = 131; int v132 = 132; int v133 = 133; int v134 = 134;
        int v135 = 135; int v136 = 136; int v137 = 137; int v138 = 138; int v139 = 139; int v140 = 140; int v141 = 141;
        int v142 = 142; int v143 = 143; int v144 = 144; int v145 = 145; int v146 = 146; int v147 = 147; int v148 = 148;
        int v149 = 149; int v150 = 150; int v151 = 151; int v152 = 152; int v153 = 153; int v154 = 154; int v155 = 155;
        int v156 = 156; int v157 = 157; int v158 = 158; int v159 = 159; int v160 = 160; int v161 = 161; int v162 = 162;
        int v163 = 163; int v164 = 164; int v165 = 165; int v166 = 166; int v167 = 167; int v168 = 168; int v169 = 169;
        int v170 = 170; int v171 = 171; int v172 = 172; int v173 = 173; int v174 = 174; int v175 = 175; int v176 = 176;
        int v177 = 177; int v178 = 178; int v179 = 179; int v180 = 180; int v181 = 181; int v182 = 182; int v183 = 183;
        int v184 = 184; int v185 = 185; int v186 = 186; int v187 = 187; int v188 = 188; int v189 = 189; int v190 = 190;
        int v191 = 191; int v192 = 192; int v193 = 193; int v194 = 194; int v195 = 195; int v196 = 196; int v197 = 197;
        int v198 = 198; int v199 = 199; int v200 = 200; int v201 = 201; int v202 = 202; int v203 = 203; int v204 = 204;
        int v205 = 205; int v206 = 206; int v207 = 207; int v208 = 208; int v209 = 209; int v210 = 210; int v211 = 211;
        int v212 = 212; int v213 = 213; int v214 = 214; int v215 = 215; int v216 = 216; int v217 = 217; int v218 = 218;
        int v219 = 219; int v220 = 220; int v221 = 221; int v222 = 222; int v223 = 223; int v224 = 224; int v225 = 225;
        int v226 = 226; int v227 = 227; int v228 = 228; int v229 = 229; int v230 = 230; int v231 = 231; int v232 = 232;
        int v233 = 233; int v234 = 234; int v235 = 235; int v236 = 236; int v237 = 237; int v238 = 238; int v239 = 239;
        int v240 = 240; int v241 = 241; int v242 = 242; int v243 = 243; int v244 = 244; int v245 = 245; int v246 = 246;
        int v247 = 247; int v248 = 248; int v249 = 249; int v250 = 250; int v251 = 251; int v252 = 252; int v253 = 253;
        int v254 = 254; int v255 = 255; int v256 = 256; int v257 = 257; int v258 = 258; int v259 = 259;
        v259 = v258 / (v1 - 1);
        return v259;
    }
    public static void main(String[] args) {
        System.out.println(parameters(0, 1L, "o2", 3.25, 4, 5L, "o6", 7.25, 8, 9L, "o10", 11.25, 12, 13L, "o14", 15.25, 16, 17L,
            "o18", 19.25, 20, 21L, "o22", 23.25, 24, 25L, "o26", 27.25, 28, 29L, "o30", 31.25, 32, 33L, "o34", 35.25, 36, 37L,
            "o38", 39.25, 40, 41L, "o42", 43.25, 44, 45L, "o46", 47.25, 48, 49L, "o50", 51.25, 52, 53L, "o54", 55.25, 56, 57L,
            "o58", 59.25, 60, 61L, "o62", 63.25, 64, 65L, "o66", 67.25, 68, 69L, "o70", 71.25, 72, 73L, "o74", 75.25, 76, 77L,
            "o78", 79.25, 80, 81L, "o82", 83.25, 84, 85L, "o86", 87.25, 88, 89L, "o90", 91.25, 92, 93L, "o94", 95.25, 96, 97L,
            "o98", 99.25, 100, 101L, "o102", 103.25, 104, 105L, "o106", 107.25, 108, 109L, "o110", 111.25, 112, 113L, "o114",
            115.25, 116, 117L, "o118", 119.25, 120, 121L, "o122", 123.25, 124, 125L, "o126", 127.25, 128, 129L, "o130", 131.25,
            132, 133L, "o134", 135.25, 136, 137L, "o138", 139.25, 140, 141L, "o142", 143.25, 144, 145L, "o146", 147.25, 148, 149L,
            "o150", 151.25, 152, 153L, "o154", 155.25, 156, 157L, "o158", 159.25));
        System.out.println(many(4, "s"));
        try { down(0); } catch (StackOverflowError e) { System.out.println("overflow " + (deep > 100) + " " +
            e.getStackTrace()[9].getMethodName()); }
        System.out.println(new LangManyVariables().kept());
        failing();
    }
}
