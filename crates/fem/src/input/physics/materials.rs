//! Materials.

use super::super::check;
use super::super::error::{Found, Item, Problem};
use super::document::{Document, Material as Table};
use super::places::Places;
use crate::model::{Elastic, Hardening, JohnsonCook, Law, Material, NeoHookean, Plastic};

pub(super) fn materials(document: &Document, places: &Places<'_>) -> Found<Vec<Material>> {
    let mut materials: Vec<Material> = Vec::new();
    for table in &document.material {
        let material = material(table.get_ref()).and_then(|material| {
            check(&material)?;
            Ok(material)
        });
        let material = material.map_err(|problem| places.at(table).fault(problem))?;
        if materials.iter().any(|known| known.name == material.name) {
            return Err(places.at(table).repeated(Item::Material, material.name));
        }
        materials.push(material);
    }
    Ok(materials)
}

fn material(table: &Table) -> Result<Material, Problem> {
    let lacks = |lacks| Problem::Material { name: table.name.clone(), lacks };
    let law = match (table.young, table.poisson, &table.neo_hooke) {
        (None, None, Some(law)) => Law::NeoHookean(NeoHookean { c10: law.c10, d1: law.d1 }),
        (Some(young), Some(poisson), None) => {
            let elastic = Elastic { young, poisson };
            match hardening(table)? {
                Some(hardening) => Law::Plastic(elastic, Plastic { hardening }),
                None => Law::Elastic(elastic),
            }
        }
        (_, _, Some(_)) => {
            return Err(lacks("single law: young, poisson and neo-hooke exclude each other"));
        }
        _ => return Err(lacks("law: expected young and poisson, or neo-hooke")),
    };
    if matches!(law, Law::NeoHookean(_)) && hardening(table)?.is_some() {
        return Err(lacks("single law: neo-hooke does not yield"));
    }
    Ok(Material {
        name: table.name.clone(),
        density: table.density,
        law,
        expansion: table.expansion,
        specific_heat: table.specific_heat,
        heat_fraction: table.heat_fraction,
    })
}

fn hardening(table: &Table) -> Result<Option<Hardening>, Problem> {
    match (&table.plastic, &table.johnson_cook) {
        (None, None) => Ok(None),
        (Some(points), None) => Ok(Some(Hardening::Table(points.clone()))),
        (None, Some(law)) => Ok(Some(Hardening::JohnsonCook(JohnsonCook {
            a: law.a,
            b: law.b,
            n: law.n,
            c: law.c,
            rate: law.rate,
            m: law.m,
            melting: law.melting,
            transition: law.transition,
        }))),
        (Some(_), Some(_)) => {
            let name = table.name.clone();
            let lacks = "single law: plastic and johnson-cook exclude each other";
            Err(Problem::Material { name, lacks })
        }
    }
}

fn check(material: &Material) -> Result<(), Problem> {
    check::positive("density", material.density)?;
    match &material.law {
        Law::Elastic(law) => check::elastic(law)?,
        Law::Plastic(law, plastic) => {
            check::elastic(law)?;
            check::hardening(&plastic.hardening)?;
        }
        Law::NeoHookean(law) => check::neo_hookean(law)?,
    }
    check::range("coefficient of expansion", material.expansion, true, "that is finite")?;
    check::not_negative("specific heat", material.specific_heat)?;
    check::heat_fraction(material.heat_fraction)
}
