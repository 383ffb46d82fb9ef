//! Pages that need nothing from anywhere else.

const STYLE: &str = include_str!("../manual/style.css");

/// Text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A whole page: its title, what stands beside it, and its body.
pub(crate) fn page(title: &str, aside: &str, body: &str) -> String {
    let aside = if aside.is_empty() { String::new() } else { format!("<nav>\n{aside}</nav>\n") };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{aside}<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}
