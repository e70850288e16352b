//! Write a deck of Abaqus, read it and run it. A pulse travels along a bar of steel to the free
//! end, which moves twice as fast as the pulse.
//!
//! `cargo run --release -p nonius --example 14_solids`

use std::error::Error;
use std::path::Path;

use nonius::Device;
use nonius::fem::input::abaqus;
use nonius::fem::model::{BulkViscosity, Kind};
use nonius::fem::{self, Precision, Simulation, generate};

fn main() -> Result<(), Box<dyn Error>> {
    // A bar of 1 m. Its start moves at up to 1 m/s for 40 µs and by 20 µm in all.
    let mut model = generate::bar(Kind::ReducedHexahedron, [200, 2, 2])?;
    model.time.viscosity = BulkViscosity::NONE;
    let mut deck = Vec::new();
    generate::write_abaqus(&model, &mut deck)?;
    let (read, ignored) = abaqus::read(&deck[..], Path::new("bar.inp"))?;
    let lines = deck.iter().filter(|&&byte| byte == b'\n').count();
    println!("deck                {lines} lines, {} nodes", read.mesh.coordinates.len());
    assert!(ignored.is_empty() && read.mesh == model.mesh);

    let speed = (2e11_f64 / 7800.0).sqrt();
    let mut simulation = Simulation::new(&read, Precision::Double)?;
    let place = fem::place(&mut simulation, &read, Device::Auto)?;
    println!("device              {}", place.device);
    let end = &read.mesh.node_sets["end"];
    let mean = |of_nodes: &[[f64; 3]]| {
        end.iter().map(|&node| of_nodes[node as usize][0]).sum::<f64>() / end.len() as f64
    };

    // The middle of the pulse comes to the end 20 µs after its front.
    simulation.advance_to(1.0 / speed + 20e-6)?;
    let velocity = mean(&simulation.snapshot()?.velocities);
    println!("velocity of the end {velocity:.3} m/s, in theory 2");
    assert!((velocity - 2.0).abs() < 0.02);

    simulation.advance_to(1.0 / speed + 60e-6)?;
    let displacement = 1e6 * mean(&simulation.snapshot()?.displacements);
    println!("it has moved by     {displacement:.2} µm, in theory 40");
    assert!((displacement - 40.0).abs() < 0.4);

    let balance = simulation.energies()?.relative_balance();
    println!("energy balance      {balance:.0e} after {} steps", simulation.steps());
    assert!(balance.abs() < 1e-3);
    Ok(())
}
