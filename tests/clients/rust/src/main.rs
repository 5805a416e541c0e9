//! Three calls and a refusal with what ploidy makes.

use generated::Client;
use generated::client::default::parameters::EntriesCreateTopicsQuery;
use generated::client::default::parameters::EntriesListPostsQuery;
use generated::client::default::parameters::EntriesShowPostsQuery;
use generated::error::Error;
use generated::types::TopicsEntryInput;
use generated::util::reqwest::StatusCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let base = std::env::var("RECTO_BASE").expect("the address of the server");
    let token = std::env::var("RECTO_TOKEN").expect("a token that may write");
    let client = Client::new(&base)?;

    let first = EntriesListPostsQuery { limit: Some(2), ..Default::default() };
    let posts = client.entries_list_posts(&first).await?.data;
    assert_eq!(posts.len(), 2, "{posts:?}");

    let whole = EntriesShowPostsQuery::default();
    let one = client.entries_show_posts(&posts[0].slug, &whole).await?.data;
    assert_eq!((&one.title, one.r#type.as_str()), (&posts[0].title, "posts"));

    let writer =
        client.clone().with_sensitive_header("authorization", format!("Bearer {token}"))?;
    let input = TopicsEntryInput { title: "From ploidy".to_string().into(), ..Default::default() };
    let made = writer.entries_create_topics(&EntriesCreateTopicsQuery::default(), input).await?;
    assert_eq!(made.data.r#type, "topics");

    let missing = client.entries_show_posts("nothing", &whole).await;
    assert!(matches!(missing, Err(Error::Status(StatusCode::NOT_FOUND))), "{missing:?}");
    Ok(())
}
