//! Settings of the original: webhooks, the order of types, the names and pictures of workspaces.

use crate::app::import::php::FILE_BYTES_MAX;
use crate::app::import::php::OriginalReader;
use crate::app::import::report::SourcePlace;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::webhook::parse_file;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

impl OriginalReader<'_> {
    /// Reads what the settings say of the workspace `from`, which goes `into` another one.
    pub(super) fn read_settings(&mut self, from: &str, into: &WorkspaceSlug) {
        let path = format!("{}settings.json", self.root);
        let place = SourcePlace::of_file(&path);
        let settings = self.read_json(&path, FILE_BYTES_MAX).unwrap_or_default();
        let hooks = settings.get("webhooks").and_then(Json::as_array).unwrap_or_default();
        for (number, hook) in hooks.iter().enumerate() {
            let place = place.with_field(format!("webhooks[{number}]"));
            let Some(hook) = hook.as_object() else { continue };
            match convert_webhook(hook, number, into) {
                Ok((converted, left)) => {
                    if !left.is_empty() {
                        let message = format!("Unknown events are left out: {}.", left.join(", "));
                        self.set.report.add_altered(place.clone(), message);
                    }
                    let url = converted.get("url").and_then(Json::as_str).unwrap_or_default();
                    let message = format!(
                        "The webhook of {url} is switched off: switch it on when everything is as \
                         it should be. The signature that its receiver knows is in \
                         `x-recto-signature`."
                    );
                    self.set.report.add_altered(place.clone(), message);
                    self.set.webhooks.push((place, converted));
                }
                Err(why) => self.set.report.add_skipped(place, why),
            }
        }
        let order = settings.get(&format!("content_type_order_{from}")).and_then(Json::as_array);
        let order = order.unwrap_or_default().iter().filter_map(Json::as_str);
        self.set.workspace.types = order.filter_map(|it| TypeName::parse(it).ok()).collect();
        self.set.workspace.label = find_label(&settings, from);
        let default = settings.get("default_workspace").and_then(Json::as_str);
        if default.is_some_and(|it| it == from) && into.as_str() != "default" {
            let message =
                format!("It is the default workspace: set `default_workspace` to {into}.");
            self.set.report.add_skipped(place.with_field("default_workspace"), message);
        }
        let prefix = format!("{}workspaces/icons/{from}.", self.root);
        let own = format!("{}workspaces/{from}/icon.png", self.root);
        let paths = self.source.files().iter().map(|it| it.path.as_str());
        let icon = paths.clone().find(|it| *it == own);
        let icon = icon.or_else(|| paths.clone().find(|it| it.starts_with(&prefix)));
        self.set.workspace.icon = icon.map(str::to_string);
    }
}

/// Returns the name of a workspace that people see.
fn find_label(settings: &Map, from: &str) -> Option<String> {
    let all = settings.get("workspaces").and_then(Json::as_array).unwrap_or_default();
    let text = |map: &Map, keys: &[&str]| {
        let found = keys.iter().find_map(|it| map.get(it)?.as_str());
        found.filter(|it| !it.is_empty()).map(str::to_string)
    };
    let mut known = all.iter().filter_map(Json::as_object);
    let own = known.find(|it| text(it, &["slug", "id"]).as_deref() == Some(from))?;
    text(own, &["label", "title", "name"])
}

/// Returns a webhook of one workspace, and the events that mean nothing here.
///
/// # Errors
///
/// Fails with a sentence if nothing can be sent.
fn convert_webhook(
    hook: &Map,
    number: usize,
    into: &WorkspaceSlug,
) -> Result<(Map, Vec<String>), String> {
    let text = |key: &str| hook.get(key).and_then(Json::as_str).unwrap_or_default();
    let url = text("url");
    let name = if text("name").is_empty() { url } else { text("name") };
    let mut map = Map::new();
    map.push("id", format!("php-{into}-{number}"));
    map.push("name", name.chars().take(100).collect::<String>());
    map.push("url", url);
    map.push("events", vec![Json::from("*")]);
    map.push("workspaces", vec![Json::from(into.as_str())]);
    // A folder from elsewhere does not make this machine send anything.
    map.push("enabled", false);
    map.push("secret", text("secret"));
    check(&map).map_err(|why| format!("The webhook of {url} is left out: {why}"))?;
    let events = hook.get("events").and_then(Json::as_array).unwrap_or_default();
    let (mut known, mut left) = (Vec::new(), Vec::new());
    for event in events {
        let mut probe = map.clone();
        probe.set("events", Json::Array(vec![event.clone()]));
        match check(&probe) {
            Ok(()) => known.push(event.clone()),
            Err(_) => left.push(event.as_str().unwrap_or("?").to_string()),
        }
    }
    if known.is_empty() && !events.is_empty() {
        return Err(format!("The webhook of {url} is left out: its events are unknown here."));
    }
    if !known.is_empty() {
        map.set("events", Json::Array(known));
    }
    Ok((map, left))
}

fn check(webhook: &Map) -> Result<(), String> {
    let mut file = Map::new();
    file.push("webhooks", vec![Json::Object(webhook.clone())]);
    let (_, problems) = parse_file(&file);
    let first = problems.iter().next().map(|(_, message)| message.to_string());
    first.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn webhooks_are_switched_off_and_keep_what_means_something() {
        let into = WorkspaceSlug::parse("default").unwrap();
        let hook = r#"{"url":"https://a.example/","secret":"sixteen letters!","enabled":true,
            "events":["content.created","moon.full"]}"#;
        let (made, left) = convert_webhook(&map(hook), 2, &into).unwrap();
        assert_eq!(made.get("enabled"), Some(&Json::Bool(false)));
        assert_eq!(made.get("id").and_then(Json::as_str), Some("php-default-2"));
        assert_eq!(made.get("events").and_then(Json::as_array).map(<[Json]>::len), Some(1));
        assert_eq!(left, ["moon.full"]);
        let short = hook.replace("sixteen letters!", "short");
        assert!(convert_webhook(&map(&short), 0, &into).is_err());
        let strange = hook.replace("content.created", "x");
        assert!(convert_webhook(&map(&strange), 0, &into).is_err());
        let file = hook.replace("https:", "file:");
        assert!(convert_webhook(&map(&file), 0, &into).is_err());
    }
}
