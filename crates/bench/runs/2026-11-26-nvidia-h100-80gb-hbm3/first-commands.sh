# first-commands.sh PROGRAM FOLDER: each verb with an empty cache of kernels, its time, and the
# modules it compiled; then with a full one
ROOT=$PWD; bin=$1; out=$2; w=$(mktemp -d); mkdir -p $out; out=$(realpath $out); cd $w
python3 - <<'P'
import random
random.seed(1)
def w(f,m,n,spd=False):
    with open(f,'w') as o:
        o.write("%%%%MatrixMarket matrix array real general\n%d %d\n"%(m,n))
        if spd:
            v=[[random.random()-0.5 for i in range(n)] for j in range(n)]
            for j in range(n):
                for i in range(m): o.write("%.17g\n"%((v[min(i,j)][max(i,j)]) + (n if i==j else 0)))
        else:
            for k in range(m*n): o.write("%.17g\n"%(random.random()-0.5))
w('a.mtx',1500,1500); w('b.mtx',1500,8); w('s.mtx',1000,1000,True); w('t.mtx',2000,600)
P
run() { # NAME ARGS...
  local name=$1; shift
  export NONIUS_CACHE_DIR=$w/cache-$name; rm -rf $NONIUS_CACHE_DIR
  local t0=$(date +%s.%N); timeout 100 $bin "$@" --device cuda > $out/$name.txt 2>&1; local rc=$?; local t1=$(date +%s.%N)
  timeout 100 $bin "$@" --device cuda > $out/$name.warm.txt 2>&1; local t2=$(date +%s.%N)
  local n=$(ls $NONIUS_CACHE_DIR/cubin 2>/dev/null | wc -l)
  ls -tr --time-style=full-iso -l $NONIUS_CACHE_DIR/cubin 2>/dev/null | awk '{print $7,$9}' > $out/$name.modules
  printf '%-22s rc %s empty %6.2f s, full %6.2f s, %3d modules\n' $name $rc $(python3 -c "print($t1-$t0)") $(python3 -c "print($t2-$t1)") $n
}
for p in dd; do
  run matmul-$p matmul a.mtx a.mtx --precision $p -o c.mtx
  run solve-$p solve a.mtx b.mtx --precision $p -o x.mtx
  run inverse-$p inverse a.mtx --precision $p -o x.mtx
  run cholesky-$p solve s.mtx --precision $p -o x.mtx
  run ls-$p solve t.mtx --precision $p -o x.mtx
  run det-$p determinant a.mtx --precision $p
  run eigen-$p eigen s.mtx --precision $p -o v.mtx --vectors V.mtx
  run svd-$p svd s.mtx --precision $p -o v.mtx --left U.mtx
  run tridiag-$p tridiag --systems 10000 --size 256 --precision $p --check
  run cg-$p cg $ROOT/data/bcsstk14.mtx.xz --precision $p --preconditioner jacobi
  run sdp-$p sdp $ROOT/data/sdplib/theta1.dat-s.xz --precision $p
  run option-$p option price $ROOT/data/book.csv --tolerance 1e-6 --precision $p
done
run matmul-mp424 matmul s.mtx s.mtx --precision mp424 -o c.mtx
run matmul-mp424-ab matmul s.mtx s.mtx --precision mp424 --alpha 0.3 -o c.mtx
run digits solve s.mtx --digits 30 -o x.mtx
run det-digits determinant s.mtx --digits 30
run cg-mp212 cg $ROOT/data/bcsstk14.mtx.xz --precision mp212 --preconditioner jacobi
run certify sdp $ROOT/data/sdplib/theta1.dat-s.xz --certify
$bin fem generate bar --elements 200 4 4 -o bar.inp > /dev/null
for p in f64 mixed; do run fem-$p fem run bar.inp -o bar-$p --precision $p; done
