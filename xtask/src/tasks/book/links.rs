//! Links from a page of HTML to files of the book, and to places in them.

use std::fs;
use std::path::Path;

/// Returns the links of a page that lead nowhere, with the page.
pub(super) fn dead(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let dead = targets(&text).into_iter().filter(|target| !leads_somewhere(page, &text, target));
    dead.map(|target| format!("{}: {target}", page.display())).collect()
}

/// Returns the targets of links, pictures and scripts.
fn targets(text: &str) -> Vec<&str> {
    let of = |attribute: &'static str| {
        text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"').map(|(target, _)| target))
    };
    of(" href=\"").chain(of(" src=\"")).collect()
}

fn leads_somewhere(page: &Path, text: &str, target: &str) -> bool {
    let is_elsewhere = target.contains(':') || target.starts_with("//");
    let (path, place) = target.split_once('#').unwrap_or((target, ""));
    if is_elsewhere {
        return true;
    }
    if path.is_empty() {
        return has_place(text, place);
    }
    let file = page.with_file_name("").join(path);
    // Only the page for errors has links from the top of the site.
    match fs::read_to_string(&file) {
        Ok(text) => has_place(&text, place),
        Err(_) => {
            file.is_file() || (file.is_dir() && file.join("index.html").is_file()) || path.starts_with('/')
        }
    }
}

fn has_place(text: &str, place: &str) -> bool {
    place.is_empty()
        || text.contains(&format!("id=\"{place}\""))
        || text.contains(&format!("name=\"{place}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_missing_files_and_places_are_dead() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page.html");
        let links = ["other.html", "other.html#here", "#there", "https://example.org/none", "picture.png"];
        let dead_links = ["none.html", "other.html#none", "#none", "../none.md"];
        let anchors: String =
            links.iter().chain(&dead_links).map(|link| format!("<a href=\"{link}\">x</a>")).collect();
        fs::write(&page, format!("<p id=\"there\">{anchors}<img alt=\"\" src=\"none.png\">"))
            .expect("a page");
        fs::write(folder.path().join("other.html"), "<h1 id=\"here\">").expect("a page");
        fs::write(folder.path().join("picture.png"), [0xff]).expect("a picture");
        let found: Vec<_> =
            dead(&page).iter().map(|it| it.rsplit(' ').next().expect("a link").to_owned()).collect();
        assert_eq!(found, ["none.html", "other.html#none", "#none", "../none.md", "none.png"]);
    }
}
