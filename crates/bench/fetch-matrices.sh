#!/bin/sh
# Fetches the four matrices of the paper of 2022 on conjugate gradients from the SuiteSparse Matrix
# Collection (T. A. Davis and Y. Hu, ACM Trans. Math. Softw. 38, 2011; CC-BY 4.0) into a folder, as
# NAME.mtx.xz, for `nonius-bench figure2 FOLDER`. Needs curl, tar and xz.
set -eu
folder=${1:?usage: fetch-matrices.sh FOLDER}
mkdir -p "$folder"
for path in HB/bcsstm10 TKK/plbuckle HB/bcsstk27 Okunbor/aft01; do
    name=${path#*/}
    [ -s "$folder/$name.mtx.xz" ] && continue
    curl --fail --silent --show-error --location --output "$folder/$name.tar.gz.part" \
        "https://sparse.tamu.edu/MM/$path.tar.gz"
    tar --extract --gzip --directory "$folder" --file "$folder/$name.tar.gz.part" "$name/$name.mtx"
    xz "$folder/$name/$name.mtx"
    mv "$folder/$name/$name.mtx.xz" "$folder/$name.mtx.xz"
    rmdir "$folder/$name"
    rm "$folder/$name.tar.gz.part"
    echo "$folder/$name.mtx.xz"
done
