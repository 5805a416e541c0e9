//! Tests of the layout.

use super::*;

#[test]
fn paths_and_keys_both_ways() {
    let check = |path: &str, variant: &str| {
        let key = Key::parse(path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(key.path(), path);
        assert!(format!("{key:?}").starts_with(variant), "{key:?}");
        let folder = key.folder();
        assert_eq!(Folder::parse(&folder.path()).unwrap(), folder);
        assert_eq!(folder.classify_file(&key.name()), NameMeaning::Ours(key));
    };
    check("workspaces/main/workspace.json", "Workspace(");
    check("workspaces/main/icon.png", "Icon(");
    check("workspaces/main/media-categories.json", "Categories(");
    check("workspaces/main/schemas/posts.json", "Schema(");
    check("workspaces/main/content/posts/01jz8x3m5q7v9c2a.json", "Entry(");
    check("workspaces/main/content/My_Type/A-b.json", "Entry(");
    check("workspaces/main/revisions/posts/a/2026.json", "Revision(");
    check("workspaces/main/revisions/posts/a~2/2026.json", "Revision(");
    check("workspaces/main/trash/posts/a.json", "Trash(");
    check("workspaces/main/trash/posts/a~12.json", "Trash(");
    check("workspaces/main/changes/spring/change.json", "Change(");
    check("workspaces/main/changes/spring/content/posts/a.json", "Proposal(");
    check("workspaces/main/changes/spring/base/posts/a.json", "ProposalBase(");
    check("workspaces/main/media/Straße 1.jpg", "Media(");
    check("workspaces/main/media-meta/Straße 1.jpg.json", "MediaMeta(");
    check("workspaces/main/media-revisions/Straße 1.jpg/2026-update.jpg", "MediaRevision(");
    check("workspaces/main/media-revisions/data.json/2026.json", "MediaRevision(");
    check("system/settings.json", "Settings");
    check("system/webhooks.json", "Webhooks");
    check("system/schedule.json", "Schedule");
    check("system/users/u1.json", "User(");
    check("system/avatars/u1.png", "Avatar(");
    check("system/roles/editor.json", "Role(");
    check("system/tokens/01jz8x3m5q7v9c2a.json", "Token(");
}

#[test]
fn nothing_else_is_a_key() {
    for path in [
        "",
        "a.json",
        "workspaces/main",
        "workspaces/Main/workspace.json",
        "workspaces/../system/settings.json",
        "workspaces/main/content/posts",
        "workspaces/main/content/posts/a.json/b.json",
        "workspaces/main/content/posts/a.txt",
        "workspaces/main/content/posts/a b.json",
        "workspaces/main/content/posts/order.json",
        "workspaces/main/content/posts/.a.json",
        "workspaces/main/content/order/a.json",
        "workspaces/main/content//a.json",
        "workspaces/main/trash/posts/a~0.json",
        "workspaces/main/trash/posts/a~01.json",
        "workspaces/main/trash/posts/a~99999999999.json",
        "workspaces/main/media/-a.png",
        "workspaces/main/media-revisions/a.png",
        "workspaces/main/media-revisions/a.png/a b.png",
        "workspaces/main/media-revisions/-a.png/1.png",
        "workspaces/main/media/a/b.png",
        "system/tokens/short.json",
        "system/other.json",
        "/system/settings.json",
        ".recto/locks/write.lock",
    ] {
        assert_eq!(Key::parse(path), None, "{path}");
    }
}

#[test]
fn folders_both_ways() {
    for path in [
        "",
        "workspaces",
        "workspaces/main",
        "workspaces/main/schemas",
        "workspaces/main/content",
        "workspaces/main/content/posts",
        "workspaces/main/revisions",
        "workspaces/main/revisions/posts",
        "workspaces/main/revisions/posts/a~3",
        "workspaces/main/trash",
        "workspaces/main/trash/posts",
        "workspaces/main/media",
        "workspaces/main/media-meta",
        "workspaces/main/media-revisions",
        "workspaces/main/media-revisions/a.png",
        "system",
        "system/users",
        "system/avatars",
        "system/roles",
        "system/tokens",
    ] {
        assert_eq!(Folder::parse(path).map(|it| it.path()).as_deref(), Some(path));
    }
    for path in ["journal", "workspaces/.git", "system/x", "workspaces/main/content/a/b", "/"] {
        assert_eq!(Folder::parse(path), None, "{path}");
    }
}

#[test]
fn what_editors_leave_is_ignored() {
    let check = |name: &str, expect: bool| assert_eq!(is_ignored(name), expect, "{name}");
    for name in [
        ".a.json.swp",
        ".a.json.Ab3xYz",
        "~$a.json",
        "#a.json#",
        "a.json~",
        "a.swp",
        "a.json.tmp",
        "a.json.part",
        "a.json.bak",
        "a.json.orig",
        "a.json.rej",
        "4913",
        "a.json___jb_tmp___",
        "a.json___jb_old___",
        "sedAb3xYz",
    ] {
        check(name, true);
    }
    for name in ["a.json", "49131.json", "sedation.json", "sedum.json", "sed1234567", "tmp.json"] {
        check(name, false);
    }
}

#[test]
fn names_that_look_like_ours_are_told() {
    let posts = Folder::parse("workspaces/main/content/posts").unwrap();
    let check = |name: &str, expect: Option<ProblemKind>| match posts.classify_file(name) {
        NameMeaning::Misnamed(kind, _) => assert_eq!(Some(kind), expect, "{name}"),
        NameMeaning::Ignored => assert_eq!(None, expect, "{name}"),
        NameMeaning::Ours(key) => panic!("{key:?}"),
    };
    check("a b.json", Some(ProblemKind::InvalidName));
    check("order.json", Some(ProblemKind::InvalidName));
    check("a.JSON", Some(ProblemKind::InvalidName));
    check("a (Ann's conflicted copy 2026-05-03).json", Some(ProblemKind::SyncConflictCopy));
    check("a.sync-conflict-20260503-120000-ABC.json", Some(ProblemKind::SyncConflictCopy));
    check("README.md", None);
    check("a.json~", None);
    let workspaces = Folder::Workspaces;
    assert!(matches!(workspaces.classify_folder("Main"), NameMeaning::Misnamed(..)));
}

#[test]
fn what_is_private() {
    assert!(is_private("system/settings.json") && is_private(".recto/tmp/1-1.tmp"));
    assert!(!is_private("systems/a.json") && !is_private("workspaces/system/icon.png"));
}

#[test]
fn unfinished_files_are_ignored_wherever_they_are() {
    let path = format!("workspaces/main/media/{}", "ä".repeat(90));
    for path in
        [unfinished_file(TMP, 1, 2), unfinished_beside(&path, 1, 2), unfinished_beside("a", 1, 2)]
    {
        let name = path.rsplit('/').next().unwrap();
        assert!(is_ignored(name) && name.len() < 255, "{path}");
    }
}
