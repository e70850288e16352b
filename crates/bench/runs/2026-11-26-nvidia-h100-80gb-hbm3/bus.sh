# bus.sh FOLDER BEFORE AFTER: bytes over the bus for each verb, by two programs
# bus.c is in the folder
w=$(mktemp -d); gcc -shared -fPIC -O1 -o $w/bus.so $1/bus.c -ldl || exit 1; shift
export BUS_COUNTS=$w/counts; cd $w
python3 - <<'P'
import random
random.seed(2)
n=1024
def w(f,m,n,spd=False):
    with open(f,'w') as o:
        o.write("%%%%MatrixMarket matrix array real general\n%d %d\n"%(m,n))
        v=[[random.random()-0.5 for i in range(m)] for j in range(n)]
        for j in range(n):
            for i in range(m): o.write("%.17g\n"%(v[min(i,j)][max(i,j)]+(n if i==j else 0) if spd else v[j][i]))
w('A.mtx',n,n); w('B.mtx',n,4); w('S.mtx',n,n,True); w('T.mtx',2*n,n//2); w('D.mtx',n,n)
P
verb() { local name=$1; shift; local line="$name"
  for bin in $BEFORE $AFTER; do
    rm -f $BUS_COUNTS; LD_PRELOAD=$w/bus.so $bin "$@" --device cuda >$w/log 2>&1 || tail -1 $w/log; out=$(python3 -c "import struct;a=struct.unpack('2Q',open('$BUS_COUNTS','rb').read(16));print('BUS up',a[0],'down',a[1])"); line="$line | $out"; done; echo "$line" | awk -F'|' '{split($2,a," "); split($3,b," "); u=1024*1024*16; printf "%-24s before up %9.3f MB down %9.3f MB; after up %9.3f down %9.3f\n", $1, a[3]/1e6, a[5]/1e6, b[3]/1e6, b[5]/1e6}'; }
BEFORE=$1; AFTER=$2
for p in dd qd; do
verb "matmul $p" matmul A.mtx D.mtx --precision $p -o c.mtx
verb "solve lu $p" solve A.mtx B.mtx --precision $p -o x.mtx
verb "solve cholesky $p" solve S.mtx B.mtx --precision $p -o x.mtx
verb "solve gauss-jordan $p" solve A.mtx B.mtx --method gauss-jordan --precision $p -o x.mtx
verb "solve many $p" solve A.mtx D.mtx --precision $p -o x.mtx
verb "inverse $p" inverse A.mtx --precision $p -o x.mtx
verb "inverse cholesky $p" inverse S.mtx --precision $p -o x.mtx
verb "least squares $p" solve T.mtx --precision $p -o x.mtx
verb "determinant $p" determinant A.mtx --precision $p
verb "eigen $p" eigen S.mtx --precision $p -o v.mtx --vectors V.mtx
verb "svd $p" svd S.mtx --precision $p -o v.mtx --left U.mtx --right V.mtx
done
verb "matmul mp424" matmul A.mtx D.mtx --precision mp424 -o c.mtx
verb "matmul mp424 alpha" matmul A.mtx D.mtx --alpha 0.3 --precision mp424 -o c.mtx
verb "digits 30" solve A.mtx B.mtx --digits 30 -o x.mtx
