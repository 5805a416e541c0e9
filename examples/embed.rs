//! Serves a data folder from a program of your own:
//! `cargo run --release --example embed -- examples/blog/data 127.0.0.1:8080`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::conn_limits::ConnLimits;
use recto::http::wire::counters::Counters;
use recto::http::wire::listen;
use recto::stdx::clock::SystemClock;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().ok_or("which data folder?")?);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8080".to_string());
    let listener = tokio::net::TcpListener::bind(&address).await?;
    let base_url = format!("http://{}", listener.local_addr()?);
    let clock = Arc::new(SystemClock);
    let engine = Engine::open(EngineOptions { base_url, ..EngineOptions::new(root, clock) })?;
    engine.follower().spawn_follower()?;
    engine.scheduler().spawn_scheduler()?;
    let counters = Arc::new(Counters::default());
    let app = App::new(engine.clone(), Settings::default());
    let service = Service::new(app, ServiceOptions::default(), counters.clone())?;
    let stop = async {
        // Without a signal to wait for, the server runs until it is killed.
        let _ = tokio::signal::ctrl_c().await;
    };
    listen::serve(listener, ConnLimits::default(), counters, Arc::new(service), stop).await;
    engine.close();
    Ok(())
}
