//! The check of the views of a type: what they name has to be there, and values have to fit. The
//! same parameters are only warned of in a request, but a view is written once and read for years.

use crate::model::content_type::ContentType;
use crate::model::content_type::declared_view::DeclaredView;
use crate::model::content_type::is_top_level;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::request::list_query;
use crate::query::request::params::QueryParams;

/// Returns the problems of all views of a type, each at its place in the schema. What deeper
/// includes name is in other types and can change there, so it is not looked at.
pub fn find_view_problems(ty: &ContentType) -> FieldProblems {
    let mut problems = FieldProblems::new();
    for view in ty.views.iter() {
        problems.extend(check_view(ty, view).with_prefix(&format!("views.{}", view.name)));
    }
    problems
}

fn check_view(ty: &ContentType, view: &DeclaredView) -> FieldProblems {
    let params = match QueryParams::parse(&view.query()) {
        Ok(params) => params,
        Err(message) => return FieldProblems::from_problem("filter", message),
    };
    let mut problems = FieldProblems::new();
    for (parameter, message) in list_query::check_for_type(ty, &params).iter() {
        let param = view.params().iter().find(|it| it.name == parameter);
        problems.add(param.map_or(parameter, |it| it.path.as_str()), message);
    }
    let is_field =
        |it: &str| is_top_level(it) || ty.data_fields().any(|own| own.name.as_str() == it);
    check_names(&params, "fields", "Not a field", is_field, &mut problems);
    let is_relation = |it: &str| {
        let field = it.split('.').next().and_then(|it| ty.fields.get(it));
        field.is_some_and(|it| it.kind.as_relation().is_some())
    };
    check_names(&params, "include", "Not a relation", is_relation, &mut problems);
    if let Some(locale) = params.get("locale").filter(|it| ty.locale_index(it).is_none()) {
        problems.add("locale", wording::unknown("locale", locale));
    }
    problems
}

/// Adds one problem with all names of a list that are wrong.
fn check_names(
    params: &QueryParams,
    list: &str,
    what: &str,
    is_right: impl Fn(&str) -> bool,
    problems: &mut FieldProblems,
) {
    let names = params.list_names(list).unwrap_or_default().into_iter();
    let wrong: Vec<String> = names.filter(|it| !is_right(it)).map(|it| format!("`{it}`")).collect();
    if !wrong.is_empty() {
        problems.add(list, format!("{what}: {}.", wrong.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;

    #[test]
    fn all_problems_have_a_place() {
        let check = |views: &str, expect: &[&str]| {
            let schema = format!(
                r#"{{"views":{views},"locales":["en","de"],"fields":{{"n":{{"type":"number"}},
                "author":{{"type":"relation","target":"people"}},
                "seo":{{"type":"object","fields":{{"n":{{"type":"number"}}}}}}}}}}"#
            );
            let problems = find_view_problems(&content_type("posts", &schema));
            let found: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(found, expect, "{views} {problems}");
        };
        check("{}", &[]);
        check(
            r#"{"a":{"sort":"-published_at,n,seo.n","filter":{"n":{"gt":1,"lt":"9"},"seo.n":[1,2],
            "author":"u1","status":"published"},"fields":["n","title"],"include":"author.company",
            "locale":"de","media":"full","q":"x y","limit":3}}"#,
            &[],
        );
        check(
            r#"{"a":{"sort":"gone","filter":{"n":"one","gone":1,"seo.n":{"like":1},
            "author":{"in":["u1"]},"id":"x"},"fields":["gone"],"include":["n","gone"],
            "locale":"fr","media":"half"},"b":{"sort":"also"}}"#,
            &[
                "views.a.sort",
                "views.a.filter.n",
                "views.a.filter.gone",
                "views.a.filter.seo.n.like",
                "views.a.media",
                "views.a.fields",
                "views.a.include",
                "views.a.locale",
                "views.b.sort",
            ],
        );
        let terms: Vec<String> = (0..17).map(|it| format!("t{it}")).collect();
        check(&format!(r#"{{"a":{{"q":"{}"}}}}"#, terms.join(" ")), &["views.a.q"]);
        let many: Vec<String> = (0..300).map(|it| format!("{it}")).collect();
        check(
            &format!(r#"{{"a":{{"filter":{{"n":[{}]}}}}}}"#, many.join(",")),
            &["views.a.filter"],
        );
    }
}
