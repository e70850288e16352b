// What sums over vectors have for terms.
#pragma once

// Products with another vector, squares, the entries themselves, their magnitudes.
enum Terms { PRODUCTS, SQUARES, ENTRIES, MAGNITUDES };
