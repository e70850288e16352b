//! Books as CSV.

use std::path::Path;

use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_num::{Dd, Real};
use nonius_option::book::{
    BookError, Column, Problem, Row, RowError, read, read_quotes, write, write_boundaries,
    write_volatilities,
};
use nonius_option::{
    Amount, Barrier, Contract, Dividend, Exercise, Grid, Implied, Kind, Knock, Monitoring, Piece,
    Request, Side, Terms, Volatility, price,
};

use super::common::request;

const HEADER: &str =
    "type,exercise,spot,strike,rate,dividend,volatility,maturity,barrier,rebate,dividends\n";

fn rows(lines: &str) -> Vec<Row<Contract<f64>>> {
    read((), format!("{HEADER}{lines}").as_bytes(), Path::new("")).unwrap()
}

/// The contract of the first row, or what is wrong with it.
fn first<T: Scalar>(text: impl AsRef<[u8]>) -> Result<Contract<T>, RowError> {
    read((), text.as_ref(), Path::new("")).unwrap().remove(0).found
}

#[test]
fn every_column_is_read() {
    let found = rows(
        "call,european,100,105,0.05,0.02,0.25,1,,,\n\
         PUT, American ,1e2,95.5,0.25:0.02;1:0.03,0,0.5:0.2;2:0.3,1.5,,,0.5:2.0;0.75:1%\n\n\
         put,bermudan:0.25;0.5,100,100,-0.01,,0.2,1,down-out:90,2.5,\n\
         call,,100,100,0.05,0.01,0.2,1,\" up-in : 130 @ 0.25 ; 0.5\",0,\n",
    );
    let found: Vec<_> = found.into_iter().map(|row| row.found.unwrap()).collect();
    let plain =
        |kind, strike, years, market| Contract::european(kind, 100.0, strike, years, market);
    assert_eq!(found[0], plain(Kind::Call, 105.0, 1.0, [0.05, 0.02, 0.25]));
    let pieces = |pairs: [(f64, f64); 2]| {
        Terms::new(pairs.map(|(until, value)| Piece { until, value }).to_vec()).unwrap()
    };
    let american = Contract {
        exercise: Exercise::American,
        rates: pieces([(0.25, 0.02), (1.0, 0.03)]),
        volatility: Volatility::Terms(pieces([(0.5, 0.2), (2.0, 0.3)])),
        dividends: vec![
            Dividend { time: 0.5, amount: Amount::Cash(2.0) },
            Dividend { time: 0.75, amount: Amount::Proportional(0.01) },
        ],
        ..plain(Kind::Put, 95.5, 1.5, [0.0; 3])
    };
    assert_eq!(found[1], american);
    let barrier = |side, knock, level, rebate, monitoring| {
        Some(Barrier { side, knock, level, rebate, monitoring })
    };
    let bermudan = Contract {
        exercise: Exercise::Bermudan(vec![0.25, 0.5]),
        barrier: barrier(Side::Down, Knock::Out, 90.0, 2.5, Monitoring::Continuous),
        ..plain(Kind::Put, 100.0, 1.0, [-0.01, 0.0, 0.2])
    };
    assert_eq!(found[2], bermudan);
    let dates = Monitoring::Dates(vec![0.25, 0.5]);
    let knock_in = Contract {
        barrier: barrier(Side::Up, Knock::In, 130.0, 0.0, dates),
        ..plain(Kind::Call, 100.0, 1.0, [0.05, 0.01, 0.2])
    };
    assert_eq!(found[3], knock_in);
}

#[test]
fn columns_come_in_any_order() {
    let text = "\u{feff}Volatility, strike,SPOT,maturity,rate,type\r\n0.2,105,100,1,0.05,call\r\n";
    let found = first::<f64>(text).unwrap();
    assert_eq!(found, Contract::european(Kind::Call, 100.0, 105.0, 1.0, [0.05, 0.0, 0.2]));
}

/// Rows have the lines of the text, whatever ends these: empty ones are none, and a quoted cell may
/// take several.
#[test]
fn rows_know_their_lines() {
    let lines = [
        "",
        HEADER.trim_end(),
        "call,,100,105,0.05,,0.2,1,,,",
        "",
        "",
        "call,,100,105,0.05,,0.2,1,,,",
        "call,,100,105,0.05,,0.2,1,\"",
        "down-out:90\",,",
        "call,,100,x,0.05,,0.2,1,,,",
        "call,,100,105,0.05,,0.2,1,,,",
    ];
    for end in ["\n", "\r\n", "\r"] {
        for text in [lines.join(end), lines.join(end) + end, lines.join(end) + end + end] {
            let found = read::<f64>((), text.as_bytes(), Path::new("")).unwrap();
            let places: Vec<u64> = found.iter().map(|row| row.line).collect();
            assert_eq!(places, [3, 6, 7, 9, 10], "{text:?}");
            assert!(found[2].found.as_ref().unwrap().barrier.is_some());
            assert_eq!(found[3].found.as_ref().unwrap_err().row, 9);
        }
    }
}

/// A decimal is read at the precision of the number.
#[test]
fn numbers_are_read_whole() {
    let text = format!("{HEADER}call,,100,105,0.1,,0.2,1,,,\n");
    let contract = first::<Dd>(text).unwrap();
    assert_eq!(contract.rates.at(Dd::from_f64(0.0)), Dd::from_f64(1.0) / Dd::from_f64(10.0));
}

#[test]
fn errors_name_row_and_column() {
    let cases = [
        ("call,,100,105,0.05,,0.2", None, "row 2: 7 cells where there are 11 columns"),
        ("cal,,100,105,0.05,,0.2,1,,,", Some(Column::Type), "cal is not call or put"),
        (",,100,105,0.05,,0.2,1,,,", Some(Column::Type), "the cell is empty"),
        ("call,asian,100,105,0.05,,0.2,1,,,", Some(Column::Exercise), "asian is not"),
        ("call,bermudan:0.5;x,100,105,0.05,,0.2,1,,,", Some(Column::Exercise), "x is not a number"),
        ("call,bermudan:0.5;0.2,100,105,0.05,,0.2,1,,,", Some(Column::Exercise), "exercise date 2"),
        ("call,,1oo,105,0.05,,0.2,1,,,", Some(Column::Spot), "1oo is not a number"),
        ("call,,-100,105,0.05,,0.2,1,,,", Some(Column::Spot), "the spot is -100"),
        ("call,,100,,0.05,,0.2,1,,,", Some(Column::Strike), "the cell is empty"),
        ("call,,100,inf,0.05,,0.2,1,,,", Some(Column::Strike), "the strike is inf"),
        ("call,,100,105,,,0.2,1,,,", Some(Column::Rate), "the cell is empty"),
        ("call,,100,105,1:0.02;0.5:0.03,,0.2,1,,,", Some(Column::Rate), "do not increase"),
        ("call,,100,105,1:0.02;0.03,,0.2,1,,,", Some(Column::Rate), "0.03 is not a time"),
        ("call,,100,105,0.05,nan,0.2,1,,,", Some(Column::Dividend), "the yield is NaN"),
        ("call,,100,105,0.05,,0,1,,,", Some(Column::Volatility), "the volatility is 0"),
        ("call,,100,105,0.05,,0.2,0,,,", Some(Column::Maturity), "the maturity is 0"),
        ("call,,100,105,0.05,,0.2,1,sideways:90,,", Some(Column::Barrier), "sideways:90 is not"),
        ("call,,100,105,0.05,,0.2,1,down-out,,", Some(Column::Barrier), "down-out is not"),
        (
            "call,,100,105,0.05,,0.2,1,down-out:90@2,,",
            Some(Column::Barrier),
            "the monitoring date is 2",
        ),
        (
            "call,american,100,105,0.05,,0.2,1,down-in:90,,",
            Some(Column::Barrier),
            "European exercise only",
        ),
        ("call,,100,105,0.05,,0.2,1,down-out:90,-1,", Some(Column::Rebate), "the rebate is -1"),
        ("call,,100,105,0.05,,0.2,1,down-out:90,?,", Some(Column::Rebate), "? is not a number"),
        ("call,,100,105,0.05,,0.2,1,,,0.5", Some(Column::Dividends), "0.5 is not a time"),
        ("call,,100,105,0.05,,0.2,1,,,0.5:120%", Some(Column::Dividends), "the dividend is 1.2"),
    ];
    for (line, column, message) in cases {
        let found = first::<f64>(format!("{HEADER}{line}")).unwrap_err();
        assert_eq!((found.row, found.column), (2, column), "{line}");
        assert!(found.to_string().contains(message), "{line}: {found}");
    }
    // What is not UTF-8 is no number.
    let mut bytes = HEADER.as_bytes().to_vec();
    bytes.extend(b"call,,\xff\xfe,105,0.05,,0.2,1,,,\n");
    let found = first::<f64>(bytes).unwrap_err();
    assert!(matches!((found.column, found.problem), (Some(Column::Spot), Problem::Number { .. })));
}

#[test]
fn books_without_columns_are_refused() {
    let refusal = |text: &str| read::<f64>((), text.as_bytes(), Path::new("")).unwrap_err();
    assert!(matches!(refusal(""), BookError::Empty));
    assert!(matches!(refusal("type,spot\n"), BookError::MissingColumn { column: Column::Strike }));
    let unknown = refusal("type,price\n").to_string();
    assert!(unknown.contains("there is no column \"price\"; columns are type, "), "{unknown}");
    assert!(matches!(
        refusal("spot,type,Spot\n"),
        BookError::RepeatedColumn { column: Column::Spot }
    ));
    assert_eq!(rows(""), Vec::new());
}

/// A quote has a price; its volatility is not read.
#[test]
fn quotes_are_read() {
    let read = |text: &str| read_quotes::<f64>((), text.as_bytes());
    let text = "price,type,exercise,spot,strike,rate,maturity,dividends,volatility\n\
        9.5,call,american,100,105,0.05,1,0.5:2,surface:none.csv\n\
        ,put,,100,105,0.05,1,,\n\n\
        x,put,,100,105,0.05,1,,0.2\n\
        9.5,put,,100,-5,0.05,1,,0.2\n";
    let rows = read(text).unwrap();
    let quote = rows[0].found.as_ref().unwrap();
    assert_eq!((quote.price, quote.contract.strike), (9.5, 105.0));
    assert_eq!(quote.contract.exercise, Exercise::American);
    assert_eq!(quote.contract.dividends.len(), 1);
    let messages: Vec<String> =
        rows[1..].iter().map(|row| row.found.as_ref().unwrap_err().to_string()).collect();
    let expected = [
        "row 3, column price: the cell is empty",
        "row 5, column price: x is not a number",
        "row 6, column strike: the strike is -5 where a positive finite number is needed",
    ];
    assert_eq!(messages, expected);
    let missing = read("type,spot,strike,rate,maturity,volatility\n").unwrap_err();
    assert!(matches!(missing, BookError::MissingColumn { column: Column::Price }));
    assert!(read("price,type,spot,strike,rate,maturity\n").unwrap().is_empty());
    let unknown = read("price,bid\n").unwrap_err().to_string();
    assert!(unknown.contains("there is no column \"bid\"; columns are price, "), "{unknown}");
}

#[test]
fn volatilities_are_written() {
    let grid = Some(Grid { space: 256, time: 128 });
    let implied = Implied { volatility: 0.1, error: 2.5e-6, converged: true, grid };
    let rows = [(2, Ok(implied)), (3, Err("row 3: no, really"))];
    let mut output = Vec::new();
    write_volatilities(&mut output, rows).unwrap();
    let expected = "row,volatility,error,converged,grid,message\n\
        2,0.1,2.5e-6,true,256x128,\n3,,,,,\"row 3: no, really\"\n";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

/// One bad row does not stop the others, and results go back with their rows.
#[test]
fn a_book_is_priced() {
    let found = rows(
        "call,,100,100,0.05,,0.2,1,,,\n\
         call,,100,0x10,0.05,,0.2,1,,,\n\
         call,american,100,100,0.05,,0.2,1,,,\n\
         put,american,60,100,0.05,,0.2,1,,,\n",
    );
    let sound: Vec<_> = found.iter().filter_map(|row| row.found.as_ref().ok().cloned()).collect();
    let mut prices = price(&Cpu::default(), &sound, &request(1e-5)).unwrap().into_iter();
    let results = found.iter().map(|row| {
        let price = match &row.found {
            Ok(_) => prices.next().unwrap().map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        (row.line, price)
    });
    let mut output = Vec::new();
    write(&mut output, results).unwrap();
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "row,price,delta,gamma,theta,vega,rho,error,converged,grid,message");
    assert!(lines[1].starts_with("2,10.4505") && lines[1].ends_with(",true,256x128,"), "{text}");
    assert_eq!(lines[2], "3,,,,,,,,,,\"row 3, column strike: 0x10 is not a number\"");
    assert!(lines[3].starts_with("4,10.4505"), "{text}");
    assert!(lines[4].starts_with("5,40,-1,0,0,,,"), "{text}");
    assert_eq!(lines.len(), 5);
}

/// A call without yield is exercised just before a dividend, where what is left of its interest is
/// less than the dividend, and at no other time. Its boundary is where the payoff is what the call
/// is worth after the dividend.
#[test]
fn calls_are_exercised_before_dividends() {
    let dividend = |amount| Dividend { time: 0.75, amount };
    let american = |amount| Contract {
        dividends: vec![dividend(amount)],
        ..Contract::american(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2])
    };
    let contracts = [
        american(Amount::Cash(4.0)),
        american(Amount::Proportional(0.04)),
        american(Amount::Cash(1.0)),
    ];
    let wanted = Request { boundary: true, ..request(1e-5) };
    let prices = price(&Cpu::default(), &contracts, &wanted).unwrap();
    let plain = price(&Cpu::default(), &contracts, &request(1e-5)).unwrap();
    for (found, plain) in prices.iter().zip(&plain) {
        assert_eq!(found.as_ref().unwrap().value, plain.as_ref().unwrap().value);
    }
    // The interest on the strike of a quarter of a year is 1.24.
    assert!(prices[2].as_ref().unwrap().boundary.is_empty());
    for (contract, found) in contracts.iter().zip(&prices[..2]) {
        let [point] = found.as_ref().unwrap().boundary[..] else { panic!("{found:?}") };
        assert_eq!(point.time, 0.75);
        let gain = |spot: f64| {
            let paid = match contract.dividends[0].amount {
                Amount::Cash(cash) => spot - cash,
                Amount::Proportional(part) => spot * (1.0 - part),
            };
            let after = Contract::european(Kind::Call, paid, 100.0, 0.25, [0.05, 0.0, 0.2]);
            let after = price(&Cpu::default(), &[after], &request(1e-6)).unwrap().remove(0);
            spot - 100.0 - after.unwrap().value
        };
        // Two nodes of the finest grid are less than a per cent.
        assert!(gain(point.spot * 0.99) < 0.0 && gain(point.spot * 1.01) > 0.0, "{point:?}");
    }
}

/// A put is exercised at less than the strike, and at less today than at maturity.
#[test]
fn boundaries_are_written() {
    let found = rows(
        "put,,100,100,0.05,,0.2,1,,,\n\n\
         put,american,100,100,0.05,,0.2,1,,,\n\
         call,american,100,100,0.05,,0.2,1,,,\n",
    );
    let lines: Vec<u64> = found.iter().map(|row| row.line).collect();
    let contracts: Vec<_> = found.into_iter().map(|row| row.found.unwrap()).collect();
    let wanted = Request { boundary: true, ..request(1e-4) };
    let prices: Vec<_> = price(&Cpu::default(), &contracts, &wanted).unwrap();
    let mut output = Vec::new();
    let known = lines.into_iter().zip(prices.iter().flatten());
    write_boundaries(&mut output, known).unwrap();
    let text = String::from_utf8(output).unwrap();
    let (names, points) = text.split_once('\n').unwrap();
    assert_eq!(names, "row,time,spot");
    let points: Vec<[f64; 3]> = points
        .lines()
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            cells.try_into().unwrap()
        })
        .collect();
    // Neither the European put nor the call without yield is exercised early.
    assert!(points.iter().all(|&[row, ..]| row == 4.0), "{text}");
    let boundary = &prices[1].as_ref().unwrap().boundary;
    assert!(boundary.iter().map(|point| [4.0, point.time, point.spot]).eq(points));
}
