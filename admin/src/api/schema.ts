// Generated from openapi.json: npm run generate.

export interface paths {
    "/admin/api/access-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says if a user, a token or a role allows an action on a resource, and which grant decides.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.roles.access_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the activity that the caller may read, newest first.
         * @description Needs a grant of `activity.read`.
         */
        get: operations["admin.activity.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the version of the server, its features and its limits.
         * @description Needs a grant of `dashboard.read`.
         */
        get: operations["admin.dashboard.app"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the backups, and the parts that a backup can have.
         * @description Needs a grant of `backups.read`.
         */
        get: operations["admin.backups.list"];
        put?: never;
        /**
         * Creates a backup of one moment, without blocking readers and writers.
         * @description Needs a grant of `backups.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.backups.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a backup, which is kept if all of it is valid.
         * @description Needs a grant of `backups.create`. The body is a form with files in `backup`.
         */
        post: operations["admin.backups.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups/{name}.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a backup.
         * @description Needs a grant of `backups.delete`.
         */
        delete: operations["admin.backups.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups/{name}.zip/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the bytes of a backup.
         * @description Needs a grant of `backups.read`.
         */
        get: operations["admin.backups.download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups/{name}.zip/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads a whole backup and returns its content and its problems.
         * @description Needs a grant of `backups.read`.
         */
        get: operations["admin.backups.inspect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/backups/{name}.zip/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a backup completely or not at all.
         * @description Needs a grant of `backups.restore`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.backups.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes that the caller may read, the latest begun first.
         * @description Needs a session.
         */
        get: operations["admin.changes.list"];
        put?: never;
        /**
         * Begins a change. Entries are proposed in it with `?change={id}`.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.changes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a change, by id; `pending` is the one with the own drafts.
         * @description Needs a session.
         */
        get: operations["admin.changes.show"];
        /**
         * Renames a change, plans its publication, or closes it.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.changes.update"];
        post?: never;
        /**
         * Deletes a change permanently, with everything that it proposes.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.changes.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves a change as it is.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.changes.approve"];
        /**
         * Withdraws the own approval of a change.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.changes.withdraw_approval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the differences that a change makes, field by field, with conflicts.
         * @description Needs a session.
         */
        get: operations["admin.changes.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/entries/{collection}/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Takes an entry out of a change, by its id.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.changes.discard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares what anonymous readers see now with what they will see once the change is published.
         * @description Needs a session.
         */
        get: operations["admin.changes.impact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a preview link. Its token is shown only now.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.changes.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/previews/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a preview link.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.changes.revoke_preview"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes everything live that a change proposes: all or nothing.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.changes.publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a change that reverts a published one.
         * @description Needs a session. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.changes.revert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/changes/{change}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks for the review of a change.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.changes.request_review"];
        /**
         * Takes a change out of its review: by its author, or because more work is needed.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.changes.return"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the content types that the caller may read, or whose entries they may read.
         * @description Needs a session.
         */
        get: operations["admin.content_types.list"];
        put?: never;
        /**
         * Creates a content type.
         * @description Needs a grant of `schema.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.content_types.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content-types/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Reorders the content types.
         * @description Needs a grant of `schema.update`. The body is a JSON object of at most 2097152 bytes.
         */
        patch: operations["admin.content_types.order"];
        trace?: never;
    };
    "/admin/api/content-types/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a content type.
         * @description Needs a session.
         */
        get: operations["admin.content_types.show"];
        /**
         * Updates a content type, or reports what the update would do.
         * @description Needs a grant of `schema.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.content_types.update"];
        post?: never;
        /**
         * Deletes a content type and all its entries, or reports what would be lost.
         * @description Needs a grant of `schema.delete`. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.content_types.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the entries of a content type, including drafts.
         * @description Needs a grant of `content.read`.
         */
        get: operations["admin.content.list"];
        put?: never;
        /**
         * Creates an entry.
         * @description Needs a grant of `content.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.content.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Moves many entries to the trash, each if the caller may delete it.
         * @description Needs a grant of `content.delete`. The body is a JSON object of at most 262144 bytes.
         */
        delete: operations["admin.content.bulk_delete"];
        options?: never;
        head?: never;
        /**
         * Updates many entries in the same way, each if the caller may update it.
         * @description Needs a grant of `content.update`. The body is a JSON object of at most 262144 bytes.
         */
        patch: operations["admin.content.bulk_update"];
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an entry, by id or slug.
         * @description Needs a grant of `content.read`.
         */
        get: operations["admin.content.show"];
        /**
         * Updates an entry. Keys that are not sent stay as they are.
         * @description Needs a grant of `content.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.content.update"];
        post?: never;
        /**
         * Moves an entry to the trash.
         * @description Needs a grant of `content.delete`. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.content.delete"];
        options?: never;
        head?: never;
        /**
         * Does the same as `PUT`.
         * @description Needs a grant of `content.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        patch: operations["admin.content.patch"];
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a draft with the values of an entry.
         * @description Needs a grant of `content.create`.
         */
        post: operations["admin.content.duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the revisions of an entry, newest first.
         * @description Needs a grant of `content.revisions.read`.
         */
        get: operations["admin.revisions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a revision of an entry.
         * @description Needs a grant of `content.revisions.read`.
         */
        get: operations["admin.revisions.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a revision. The current state becomes a revision itself.
         * @description Needs a grant of `content.revisions.restore`. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.revisions.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/translations/{locale}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes the translation of an entry into a locale.
         * @description Needs a grant of `content.update`. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.content.delete_translation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/content/{collection}/{identifier}/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the relations of other entries to an entry.
         * @description Needs a grant of `content.read`.
         */
        get: operations["admin.content.usages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a summary of a workspace: its content, recent activity, and what needs attention.
         * @description Needs a grant of `dashboard.read`.
         */
        get: operations["admin.dashboard.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams the events that the caller may read.
         * @description Needs a session.
         */
        get: operations["admin.events.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Imports a file or an archive, all of it or nothing, or reports what that would do.
         * @description Needs a grant of `content.publish`. The body is a form with files in `source`.
         */
        post: operations["admin.imports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Logs a user in.
         * @description Needs no session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.auth.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/login/proxy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Logs in the user whom a trusted proxy names in a header.
         * @description Needs no session.
         */
        post: operations["admin.auth.proxy_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the session.
         * @description Needs a session.
         */
        post: operations["admin.auth.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the current user and their permissions.
         * @description Needs a session.
         */
        get: operations["admin.auth.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the media files.
         * @description Needs a grant of `media.read`.
         */
        get: operations["admin.media.list"];
        put?: never;
        /**
         * Uploads media files: all of them or none.
         * @description Needs a grant of `media.upload`. The body is a form with files in `media`.
         */
        post: operations["admin.media.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/bulk-category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the category of several media files: of all or none.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.media.bulk_category"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes several media files, as far as they can be deleted.
         * @description Needs a grant of `media.delete`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.media.bulk_delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/bulk-visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the visibility of several media files: of all or none.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.media.bulk_visibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a media category and its parents.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.media.create_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/categories/{category}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Moves a media category to another path, with its content.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.media.rename_category"];
        post?: never;
        /**
         * Deletes a media category and its subcategories. Their files stay, without a category.
         * @description Needs a grant of `media.update`.
         */
        delete: operations["admin.media.delete_category"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a media file.
         * @description Needs a grant of `media.read`.
         */
        get: operations["admin.media.show"];
        /**
         * Replaces the bytes of a media file. Its name, its address and its metadata stay, and the old bytes become a revision.
         * @description Needs a grant of `media.update`. The body is a form with files in `media`, or the file alone. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.media.replace"];
        post?: never;
        /**
         * Deletes a media file permanently. Succeeds if there is no such file.
         * @description Needs a grant of `media.delete`. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.media.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the category of a media file. An empty category removes it.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.media.assign"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the alternative text and the title of a media file. An empty text clears a value.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.media.set_meta"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Renames a media file and updates all references to it.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.media.rename"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the revisions of a media file, newest first.
         * @description Needs a grant of `media.update`.
         */
        get: operations["admin.media.list_revisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the bytes of a revision of a media file.
         * @description Needs a grant of `media.update`.
         */
        get: operations["admin.media.show_revision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a revision of a media file. The current bytes become a revision instead of it.
         * @description Needs a grant of `media.update`. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.media.restore_revision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/revisions/{revision}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the thumbnail of a revision of a media file, if it is a picture.
         * @description Needs a grant of `media.update`.
         */
        get: operations["admin.media.show_revision_thumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the places that use a media file.
         * @description Needs a grant of `media.read`.
         */
        get: operations["admin.media.usages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/media/{filename}/visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the visibility of a media file.
         * @description Needs a grant of `media.update`. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.media.set_visibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns this API as an OpenAPI document.
         * @description Needs a session.
         */
        get: operations["admin.openapi.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reports for 45 seconds that the caller is viewing an entry, and returns the others who are.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.events.presence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/preview/content/{collection}/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns an entry as a site would get it after an update that is proposed in a change, without storing anything.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.tools.entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/preview/markdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Converts Markdown to safe HTML.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.tools.markdown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the problems of the data folder, errors first.
         * @description Needs a grant of `settings.read`.
         */
        get: operations["admin.problems.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/problems/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts a problem, which is then no longer listed.
         * @description Needs a grant of `settings.update`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.problems.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/problems/{id}/restore-last-good": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores the last good version of a broken file. The broken text is kept for a week.
         * @description Needs a grant of `settings.update`.
         */
        post: operations["admin.problems.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Updates the current user. A new password needs the old one.
         * @description Needs a grant of `profile.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.profile.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the current user's picture.
         * @description Needs a session.
         */
        get: operations["admin.profile.avatar"];
        put?: never;
        /**
         * Sets the current user's picture.
         * @description Needs a grant of `profile.update`. The body is a form with files in `avatar`.
         */
        post: operations["admin.profile.set_avatar"];
        /**
         * Removes the current user's picture.
         * @description Needs a grant of `profile.update`.
         */
        delete: operations["admin.profile.remove_avatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the state of the current user's second factor.
         * @description Needs a session.
         */
        get: operations["admin.second_factor.show"];
        put?: never;
        /**
         * Begins to set up a second factor. It counts once it is confirmed.
         * @description Needs a session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.second_factor.begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms the second factor with a code. Returns the recovery codes.
         * @description Needs a session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.second_factor.confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the recovery codes.
         * @description Needs a session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.second_factor.renew_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/second-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes the current user's second factor.
         * @description Needs a session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.second_factor.remove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the current user's sessions.
         * @description Needs a grant of `profile.read`.
         */
        get: operations["admin.profile.sessions"];
        put?: never;
        post?: never;
        /**
         * Ends all of the current user's sessions except this one.
         * @description Needs a session.
         */
        delete: operations["admin.profile.end_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/profile/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends one of the current user's sessions.
         * @description Needs a session.
         */
        delete: operations["admin.profile.end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the roles with their grants. `meta` lists the actions and the forms of resources.
         * @description Needs a grant of `roles.read`.
         */
        get: operations["admin.roles.list"];
        put?: never;
        /**
         * Creates a role with grants that the caller has too.
         * @description Needs a grant of `roles.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.roles.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Updates the label or the grants of a role.
         * @description Needs a grant of `roles.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.roles.update"];
        post?: never;
        /**
         * Deletes a role that no user has.
         * @description Needs a grant of `roles.delete`.
         */
        delete: operations["admin.roles.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the sample content of a workspace, for callers who may remove it.
         * @description Needs a grant of `schema.delete`.
         */
        get: operations["admin.samples.list"];
        put?: never;
        post?: never;
        /**
         * Removes the sample content that nobody has edited and that no other content uses.
         * @description Needs a grant of `schema.delete`.
         */
        delete: operations["admin.samples.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches entries of all types, media and content types, best matches first.
         * @description Needs a session.
         */
        get: operations["admin.search.all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the settings that the interface can change, and those that are fixed elsewhere.
         * @description Needs a grant of `settings.read`.
         */
        get: operations["admin.settings.show"];
        /**
         * Updates the settings that are sent. They take effect at once.
         * @description Needs a grant of `settings.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.settings.change"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates the first user, an administrator, and logs them in.
         * @description Needs no session. The body is a JSON object of at most 8192 bytes.
         */
        post: operations["admin.auth.setup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the tokens.
         * @description Needs a grant of `tokens.read`.
         */
        get: operations["admin.tokens.list"];
        put?: never;
        /**
         * Creates a token with grants that the caller has too. Only this answer shows its secret.
         * @description Needs a grant of `tokens.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.tokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a token.
         * @description Needs a grant of `tokens.read`.
         */
        get: operations["admin.tokens.show"];
        /**
         * Updates the name or the description of a token.
         * @description Needs a grant of `tokens.create`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.tokens.update"];
        post?: never;
        /**
         * Revokes a token. The record of a revoked token is removed.
         * @description Needs a grant of `tokens.revoke`.
         */
        delete: operations["admin.tokens.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a token another secret, which only this answer shows. The one before still counts for a while.
         * @description Needs a grant of `tokens.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.tokens.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the entries in the trash by content type.
         * @description Needs a session.
         */
        get: operations["admin.trash.overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/trash/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the entries of a content type in the trash, last deleted first.
         * @description Needs a grant of `content.read`.
         */
        get: operations["admin.trash.list"];
        put?: never;
        post?: never;
        /**
         * Deletes the entries of a content type in the trash permanently, each if the caller may delete it.
         * @description Needs a grant of `content.delete`.
         */
        delete: operations["admin.trash.empty"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/trash/{collection}/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes an entry in the trash and its revisions permanently.
         * @description Needs a grant of `content.delete`. With `If-Match`, it is refused if the resource has changed.
         */
        delete: operations["admin.trash.purge"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/trash/{collection}/{identifier}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores an entry from the trash.
         * @description Needs a grant of `content.restore`. With `If-Match`, it is refused if the resource has changed.
         */
        post: operations["admin.trash.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what is known about new versions.
         * @description Needs a grant of `updates.read`.
         */
        get: operations["admin.updates.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/update/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the update channel for a new version.
         * @description Needs a grant of `updates.check`.
         */
        post: operations["admin.updates.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/update/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Downloads the newest version and verifies it.
         * @description Needs a grant of `updates.download`.
         */
        post: operations["admin.updates.download"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/update/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the program with the downloaded version, which runs after a restart.
         * @description Needs a grant of `updates.install`.
         */
        post: operations["admin.updates.install"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the users.
         * @description Needs a grant of `users.read`.
         */
        get: operations["admin.users.list"];
        put?: never;
        /**
         * Creates a user.
         * @description Needs a grant of `users.create`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.users.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a user.
         * @description Needs a grant of `users.read`.
         */
        get: operations["admin.users.show"];
        /**
         * Updates a user: name, e-mail address, role or password.
         * @description Needs a grant of `users.update`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.users.update"];
        post?: never;
        /**
         * Deletes a user.
         * @description Needs a grant of `users.delete`.
         */
        delete: operations["admin.users.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/users/{id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the picture of a user, of at most 256 pixels a side.
         * @description Needs a session.
         */
        get: operations["admin.users.avatar"];
        put?: never;
        /**
         * Sets the picture of a user.
         * @description Needs a grant of `users.update`. The body is a form with files in `avatar`.
         */
        post: operations["admin.users.set_avatar"];
        /**
         * Removes the picture of a user.
         * @description Needs a grant of `users.update`.
         */
        delete: operations["admin.users.remove_avatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes the second factor of a user who has lost it.
         * @description Needs a grant of `users.update`.
         */
        delete: operations["admin.users.reset_second_factor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/views/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the saved views of a list: the caller's own and the shared ones.
         * @description Needs a session.
         */
        get: operations["admin.views.show"];
        /**
         * Replaces the caller's own views of a list, or the shared ones.
         * @description Needs a session. The body is a JSON object of at most 2097152 bytes. With `If-Match`, it is refused if the resource has changed.
         */
        put: operations["admin.views.save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the webhooks.
         * @description Needs a grant of `webhooks.manage`.
         */
        get: operations["admin.webhooks.list"];
        /**
         * Replaces all webhooks.
         * @description Needs a grant of `webhooks.manage`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.webhooks.replace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends the message of a delivery again.
         * @description Needs a grant of `webhooks.manage`.
         */
        post: operations["admin.webhooks.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the recent deliveries to a webhook.
         * @description Needs a grant of `webhooks.manage`.
         */
        get: operations["admin.webhooks.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test to a webhook and waits for the answer.
         * @description Needs a grant of `webhooks.manage`.
         */
        post: operations["admin.webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the workspaces that the caller has access to.
         * @description Needs a session.
         */
        get: operations["admin.workspaces.list"];
        put?: never;
        /**
         * Creates a workspace.
         * @description Needs a grant of `workspaces.manage`. The body is a JSON object of at most 2097152 bytes.
         */
        post: operations["admin.workspaces.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/workspaces/{workspace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Renames a workspace, archives or unarchives it, or makes it the default one.
         * @description Needs a grant of `workspaces.manage`. The body is a JSON object of at most 2097152 bytes.
         */
        put: operations["admin.workspaces.update"];
        post?: never;
        /**
         * Archives a workspace; its files stay.
         * @description Needs a grant of `workspaces.manage`.
         */
        delete: operations["admin.workspaces.archive"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/workspaces/{workspace}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the picture of a workspace, as a PNG.
         * @description Needs a session.
         */
        get: operations["admin.workspaces.icon"];
        put?: never;
        /**
         * Sets the picture of a workspace: JPEG, PNG, WebP or GIF.
         * @description Needs a grant of `workspaces.manage`. The body is a form with files in `icon`.
         */
        post: operations["admin.workspaces.set_icon"];
        /**
         * Removes the picture of a workspace.
         * @description Needs a grant of `workspaces.manage`.
         */
        delete: operations["admin.workspaces.remove_icon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The result of an access question. */
        AccessAnswer: {
            /** @description True if the action is allowed. */
            allowed: boolean;
            /** @description The deciding grant; null if no grant applies. */
            by: {
                /** @description The grant. */
                grant: components["schemas"]["Grant"];
                /** @description The position of the grant in the list of the subject. */
                index: number;
            } | null;
            /** @description A consequence of the permission that may be surprising, if there is one. */
            note: string | null;
            /** @description The resource in its full form. */
            resource: string;
            /** @description The workspace of the resource. */
            workspace: string;
        };
        /** @description At most one of `user`, `token` and `role` names the subject; by default it is the caller. */
        AccessQuestion: {
            /** @description The action, such as `content.update`. */
            action: string;
            /** @description The fields that the change would modify. */
            fields?: string[] | string;
            /** @description The locales that would be read or changed. */
            locales?: string[] | string;
            /** @description The status that the change would set. */
            new_status?: string;
            /** @description True if the caller in question would be the author of the entry. */
            own?: boolean;
            /** @description `content:posts:hello`, with `workspace:<slug>:` before it for another workspace. */
            resource: string;
            /** @description The id of a role. */
            role?: string;
            /** @description The status of an entry that does not exist or that the caller cannot see. */
            status?: string;
            /** @description The id of a token. */
            token?: string;
            /** @description The id of a user. */
            user?: string;
        };
        /** @description A row of the activity list. */
        ActivityRow: {
            /** @description The subject of the event. */
            details: Record<string, unknown> | null;
            /** @description The id of the event. */
            id: string;
            /** @description The id of the change whose publication caused the event; absent without one. */
            in_change?: string | null;
            /** @description Visible to callers who may read users, and in the caller's own rows. */
            ip: string | null;
            /**
             * @description The severity.
             * @enum {string}
             */
            level: "info" | "warning" | "error";
            /** @description A sentence. */
            message: string;
            /** @description The id of the request that caused the event. */
            request_id: string | null;
            /** @description The origin of the change. */
            source: ("admin" | "api" | "disk" | "schedule") | null;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            time: string;
            /** @description The kind of the event, such as `content.updated`. */
            type: string;
            /** @description The id of the user or token, if there is one. */
            user_id: string | null;
            /** @description The name of the user or token at that time. */
            user_name: string | null;
            /** @description The slug of the workspace of the event, if it has one. */
            workspace: string | null;
        };
        /** @description A content type with the members that only the admin API shows. */
        AdminContentType: {
            /** @description The time for which caches may keep anonymous answers with entries of the type. Left out if it is that of the settings. */
            cache?: components["schemas"]["CachePolicy"];
            /** @description The number of entries that the caller may read. */
            entries: number;
            /** @description The pages of a site that show an entry before it is public. Left out if there are none. */
            preview?: components["schemas"]["PreviewTarget"][];
            /** @description The locale of the top-level values of an entry's file; empty if the type is not localized. */
            root_locale: string;
            /** @description The lists of entries with names, by name. Left out if there are none. */
            views?: {
                [key: string]: Record<string, unknown>;
            };
        } & components["schemas"]["ContentType"];
        /** @description An entry with all its stored values: files by name, relations by id as far as the caller sees their targets. */
        AdminEntry: components["schemas"]["EntryHead"] & {
            /** @description The values in the requested locale. */
            data: Record<string, unknown>;
            /** @description The tag for `If-Match`. */
            etag: string;
            /** @description The locale of the values. */
            locale?: string;
            /** @description The locales in which the entry has values. */
            locales: string[];
            /** @description The problems of the file, as far as the caller may know of them. */
            problems: components["schemas"]["EntryDefect"][];
            /** @description The values that other locales than the root locale have themselves, by locale. */
            translations: {
                [key: string]: components["schemas"]["Translation"];
            };
            /** @description The name of the content type. */
            type: string;
        };
        /** @description Values by field name, at the top level or under `data`. An entry can be sent back as it was read. */
        AdminEntryInput: {
            /** @description The id of a user. */
            author_id?: string | null;
            /** @description The values by field name. */
            data?: Record<string, unknown>;
            /** @description The locale of the values at the top level. */
            locale?: string | null;
            /** @description The time or the date from which the entry is public. */
            published_at?: string | null;
            /** @description The readable part of addresses; made from the title if empty. */
            slug?: string | null;
            /**
             * @description The status. `published` and `scheduled` need `content.publish`.
             * @enum {null|string}
             */
            status?: "draft" | "published" | "scheduled" | "protected" | "archived" | null;
            /** @description The title; required if the entry has none. */
            title?: string | null;
            /** @description Values in other locales; `null` deletes a translation. */
            translations?: {
                [key: string]: Record<string, unknown> | null;
            };
            /** @description The time from which the entry is no longer public; must be later than `published_at`. */
            unpublish_at?: string | null;
        };
        /** @description The server, as an interface needs to know it. */
        App: {
            /** @description The configured base URL. */
            base_url: string;
            /** @description The features that an interface may offer, by name. */
            features: {
                [key: string]: boolean;
            };
            /** @description The limits of the server, by name; 0 for none. */
            limits: {
                [key: string]: number;
            };
            /** @description The languages of the web interface. */
            locales_of_ui: string[];
            /** @description The name of the program. */
            name: string;
            /** @description The name of the installation. */
            site_name: string;
            /** @description The version of the program. */
            version: string;
            /** @description The slug of the workspace of the request. */
            workspace: string;
        };
        /** @description An approval of a change. */
        Approval: {
            /**
             * Format: date-time
             * @description The time.
             */
            at: string;
            /** @description The id of the user or token that approved. */
            by: string;
            /** @description The display name of that user or token. */
            by_name: string | null;
            /** @description False if the change was edited since, before it was published. */
            current: boolean;
        };
        /** @description A backup. */
        Backup: {
            /** @description The time of the backup. */
            created_at: string;
            /** @description The id of a user, if known. */
            created_by: string | null;
            /** @description The name of the file. */
            name: string;
            /** @description The user's note. */
            note: string;
            /** @description The parts that were backed up completely. */
            parts: components["schemas"]["BackupPart"][];
            /** @description True if it contains user accounts (the part `users`) with names and e-mail addresses. */
            personal_data: boolean;
            /** @description True if it contains hashes and secrets; only administrators can download it then. */
            secrets: boolean;
            /** @description The size in bytes. */
            size: number;
            /** @description True if all its checksums have been compared since the server started, and matched. */
            verified: boolean;
            /** @description The workspaces that were backed up. */
            workspaces: string[];
        };
        /** @description The number of files by part. */
        BackupCounts: {
            [key: string]: number;
        };
        /** @description A request for a backup. */
        BackupCreate: {
            /** @description A note for people. */
            note?: string;
            /** @description The parts; all of them if left out. */
            parts?: components["schemas"]["BackupPart"][];
            /** @description Includes hashes and secrets; for administrators only. */
            secrets?: boolean;
            /** @description The workspaces; all of them, and the settings of the installation, if left out. */
            workspaces?: string[];
        };
        /** @description A defect of a file in an archive, or of a file that could not be archived. */
        BackupFlaw: {
            /** @description The description, one sentence. */
            message: string;
            /** @description The path of the file; empty for the archive itself. */
            path: string;
        };
        /** @description The content of a backup. */
        BackupInspection: {
            /** @description The parts that can be restored. Empty if the backup cannot be restored. */
            available_parts: components["schemas"]["BackupPart"][];
            /** @description The number of files by part. */
            counts: components["schemas"]["BackupCounts"];
            /** @description The manifest, if it is readable. */
            manifest: components["schemas"]["BackupManifest"] | null;
            /** @description The problems of the backup. */
            problems: components["schemas"]["BackupFlaw"][];
        };
        /** @description The manifest of a backup. */
        BackupManifest: {
            /** @description The total size of the files in bytes. */
            bytes: number;
            /** @description The number of files per part. */
            counts: components["schemas"]["BackupCounts"];
            /** @description The time of the backup. */
            created_at: string;
            /** @description The id of the user who requested the backup, if known. */
            created_by: string | null;
            /** @description The format version of the archive. */
            format: number;
            /** @description The program that wrote the archive. */
            generator: {
                /** @description The name of the program. */
                name: string;
                /** @description The version of the program. */
                version: string;
            };
            /** @description The user's note. */
            note: string;
            /** @description The parts that were backed up completely. */
            parts: components["schemas"]["BackupPart"][];
            /** @description The problems found while the backup was made. */
            problems: components["schemas"]["BackupFlaw"][];
            /** @description True if the archive contains hashes and secrets. */
            secrets: boolean;
            /** @description True if the backup was limited to these workspaces. Otherwise it includes the settings of the installation. */
            some_workspaces: boolean;
            /** @description The SHA-256 of the file that lists the checksums of all other files. */
            sums_sha256: string;
            /** @description The workspaces that were backed up. */
            workspaces: string[];
        };
        /**
         * @description A kind of file that can be backed up and restored on its own.
         * @enum {string}
         */
        BackupPart: "schemas" | "content" | "revisions" | "trash" | "media" | "users" | "roles" | "tokens" | "webhooks" | "settings";
        /** @description A request to restore a backup. */
        BackupRestore: {
            /** @description Only reports what would happen. */
            dry_run?: boolean;
            /** @description Replaces the parts and removes files that the backup does not have; otherwise only missing files are added. */
            overwrite?: boolean;
            /** @description The parts to restore. */
            parts: components["schemas"]["BackupPart"][];
            /** @description The workspaces; all of the backup if left out. */
            workspaces?: string[];
        };
        /** @description The result of a restore or of its dry run. */
        BackupRestored: {
            /** @description True if nothing was changed. */
            dry_run: boolean;
            /** @description The files that were not restored, or not as they are in the backup, and the reasons. */
            problems: components["schemas"]["BackupFlaw"][];
            /** @description The files that were removed because the backup does not have them. */
            removed: components["schemas"]["BackupCounts"];
            /** @description The files that were written. */
            restored: components["schemas"]["BackupCounts"];
            /** @description The backup of the previous state. */
            safety_backup: string | null;
            /** @description The files that existed and stayed as they are. */
            skipped: components["schemas"]["BackupCounts"];
        };
        /** @description The state of scheduled backups. */
        BackupSchedule: {
            /** @description The time of the day, in UTC. */
            at: string;
            /** @description The reason why the last try failed. */
            error: string | null;
            /** @description The name of that backup. */
            last_backup: string | null;
            /**
             * Format: date-time
             * @description The time of the last backup that succeeded.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The time of the next backup; that of the next try if the last one failed.
             */
            next_at: string;
            /** @description The place of the backups. */
            target: string;
            /** @description A problem of the last try although it succeeded. */
            warning: string | null;
        };
        /** @description An uploaded backup. */
        BackupUpload: {
            /** @description The backup. */
            backup: components["schemas"]["Backup"];
            /** @description Its content. */
            inspection: components["schemas"]["BackupInspection"];
        };
        /** @description All backups, and the parts that can be backed up. */
        Backups: {
            /** @description The backups. */
            backups: components["schemas"]["Backup"][];
            /** @description The parts to preselect: those that grant no permission and call no webhook. A restore must name its parts. */
            default_parts: components["schemas"]["BackupPart"][];
            /** @description The parts that a backup can have. */
            parts: components["schemas"]["BackupPart"][];
            /** @description The backups that are made by themselves and kept elsewhere; `null` if none are configured. */
            schedule: components["schemas"]["BackupSchedule"] | null;
        };
        /** @description The category of several media files. */
        BulkCategory: {
            /** @description The path; empty removes the category. */
            category: string;
            /** @description The names of the files. */
            files: string[];
        };
        /** @description The body of a request that deletes many entries. */
        BulkDelete: {
            /** @description The ids or slugs of the entries. */
            ids: string[];
        };
        /** @description The result of deleting many entries. */
        BulkDeleted: {
            /** @description The number of entries that were deleted. */
            deleted: number;
            /** @description The reasons, by the id that was sent. */
            errors: components["schemas"]["BulkErrors"];
            /** @description The number of the others. */
            failed: number;
            /** @description The templates of those reasons that have parameters, by id and then like those of an error. */
            templates?: {
                [key: string]: unknown;
            };
        };
        /** @description Errors by the id that was sent; errors that concern no field are under `id`. */
        BulkErrors: {
            [key: string]: {
                [key: string]: string;
            };
        };
        /** @description The body of a request that changes many entries in the same way. */
        BulkUpdate: {
            /** @description The body of an update of each of them. */
            data: components["schemas"]["AdminEntryInput"];
            /** @description The ids or slugs of the entries. */
            ids: string[];
        };
        /** @description The result of updating many entries. */
        BulkUpdated: {
            /** @description The reasons, by the id that was sent. */
            errors: components["schemas"]["BulkErrors"];
            /** @description The number of the others. */
            failed: number;
            /** @description The templates of those reasons that have parameters, by id and then like those of an error. */
            templates?: {
                [key: string]: unknown;
            };
            /** @description The number of entries that were updated. */
            updated: number;
        };
        /** @description The visibility of several media files. */
        BulkVisibilityInput: {
            /** @description The names of the files. */
            files: string[];
            /**
             * @description The new visibility of all of them.
             * @enum {string}
             */
            visibility: "public" | "private";
        };
        /** @description The times in seconds for which caches may keep answers. What is left out is that of the settings. */
        CachePolicy: {
            /** @description The seconds for which a cache may keep an answer without asking again. */
            max_age?: number | null;
            /** @description The same for caches that many readers share, in place of `max_age`. */
            s_maxage?: number | null;
            /** @description The seconds after that during which a cache may still use it while it asks again. */
            stale_while_revalidate?: number | null;
        };
        /** @description All categories of a workspace. */
        Categories: {
            /** @description The paths of all categories, such as `Photos / Travel`. */
            categories: string[];
        };
        /** @description A media category. */
        Category: {
            /** @description The path, such as `Photos / Travel`. */
            name: string;
        };
        /** @description The new path of a media category. */
        CategoryNameInput: {
            /** @description The whole new path, such as `Photos / Travel`. */
            name: string;
        };
        /** @description The category of a media file. */
        CategoryOfFileInput: {
            /** @description The path, such as `Photos / Travel`. The category is created if it does not exist; an empty text removes the file from its category. */
            category: string;
        };
        /** @description A change of the content, beside what is live. */
        Change: {
            /** @description The approvals, oldest first. */
            approvals: components["schemas"]["Approval"][];
            /** @description The number of approvals that it needs before it is published. */
            approvals_required: number;
            /** @description The id of the user or token that began it. */
            author_id: string;
            /** @description The display name of that user or token. */
            author_name: string | null;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description The entries that it proposes to change. */
            entries: components["schemas"]["Proposal"][];
            /** @description The reason why the planned publication did not happen. */
            failure: components["schemas"]["PlanFailure"] | null;
            /** @description The id. */
            id: string;
            /** @description The display name; empty for pending changes. */
            label: string;
            /** @description The permissions of the caller. */
            may: components["schemas"]["ChangeRights"];
            /** @description A note for people. */
            note: string;
            /** @description True for the pending change of its author. */
            pending: boolean;
            /** @description The id of the user or token that planned the publication. */
            planned_by: string | null;
            /** @description The links with which it can be previewed. */
            previews: components["schemas"]["PreviewLink"][];
            /**
             * Format: date-time
             * @description The time at which it is published by itself; null if that is not planned.
             */
            publish_at: string | null;
            /**
             * Format: date-time
             * @description The time of publication.
             */
            published_at: string | null;
            /** @description The id of the user or token that published it. */
            published_by: string | null;
            /** @description The last word of the review: a request for it, or for more work. */
            review: components["schemas"]["ReviewNote"] | null;
            /**
             * @description The state.
             * @enum {string}
             */
            state: "open" | "in_review" | "approved" | "published" | "closed";
            /**
             * Format: date-time
             * @description The end that entries get which it makes public and which have none.
             */
            unpublish_at: string | null;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updated_at: string | null;
        };
        /** @description The differences that the publication of a change makes for anonymous readers, compared with what is live now. Each list has 1,000 items at most. */
        ChangeImpact: {
            /** @description The entries that become public. */
            appears: components["schemas"]["EntryRef"][];
            /** @description The public entries that look different, also those that gain a relation, or lose one to a deleted entry. */
            changes: components["schemas"]["EntryRef"][];
            /** @description The relations that lead nowhere afterwards, and did not before. Those of entries that are not public and that the caller may not read are left out. */
            dangling: components["schemas"]["DanglingRelation"][];
            /** @description The lists of the public content types that the change touches. */
            lists: components["schemas"]["ListImpact"][];
            /** @description The public entries that get another address. */
            slugs: components["schemas"]["SlugImpact"][];
            /** @description True if a list was cut. */
            truncated: boolean;
            /** @description The entries that are public no longer. */
            vanishes: components["schemas"]["EntryRef"][];
        };
        /** @description The body of a request that changes the record of a change. */
        ChangeInput: {
            /** @description True to give the change up, false to take it up again. */
            closed?: boolean;
            /** @description The display name. */
            label?: string;
            /** @description A note for people. */
            note?: string;
            /**
             * Format: date-time
             * @description The time at which it is published by itself; null for none.
             */
            publish_at?: string | null;
            /**
             * Format: date-time
             * @description The end that entries get which it makes public and which have none; null for none. It is after `publish_at`.
             */
            unpublish_at?: string | null;
        };
        /** @description The rights of a caller to a change. */
        ChangeRights: {
            /** @description True if the caller may approve it. */
            approve: boolean;
            /** @description True if the caller may rename, close, share and delete it. */
            manage: boolean;
            /** @description True if the caller may publish it, or plan that, as far as its entries allow. */
            publish: boolean;
        };
        /** @description The body of a request that confirms a second factor. */
        CodeInput: {
            /** @description The code that the authenticator app shows. */
            code: string;
        };
        /** @description A content type. Its schema file has the same keys, except the name. */
        ContentType: {
            /** @description The locale of requests that name none; empty if the type is not localized. */
            default_locale: string;
            /** @description True if changes of published entries go into a change beside what is live, for callers who may not publish. Left out if not. */
            drafts?: boolean;
            /** @description The feeds of the type, and its part of the sitemap. Left out if there are none. */
            feed?: components["schemas"]["Feed"] | null;
            /** @description The definitions of the fields by name, in the order in which people see them. */
            fields: {
                [key: string]: {
                    /**
                     * @default text
                     * @enum {string}
                     */
                    type: "text" | "textarea" | "markdown" | "html" | "number" | "range" | "boolean" | "select" | "date" | "datetime" | "media" | "slug" | "json" | "relation" | "repeater" | "color" | "email" | "url" | "object" | "blocks";
                };
            };
            /** @description The name of an icon of the web interface. */
            icon: string;
            /** @description The name that people see. */
            label: string;
            /** @description The name of one entry that people see, such as `post`. Left out if there is none. */
            label_singular?: string;
            /** @description The locales of the entries; empty if the type is not localized. */
            locales: string[];
            /** @description The name, which never changes. */
            name: string;
            /** @description True if the type has a single entry, named like the type. */
            singleton: boolean;
            /** @description The field that is the slug of an entry. */
            slug_field: string;
            /** @description The field that a slug is made from if an entry names none. */
            slug_source: string;
            /**
             * @description Types that are `private` do not exist for callers without a grant to read them or their entries.
             * @enum {string}
             */
            visibility: "public" | "private";
        };
        ContentTypeInput: {
            cache?: components["schemas"]["CachePolicy"];
            /** @description The locale of requests that name none; empty if the type is not localized. */
            default_locale?: string;
            /** @description True if changes of published entries go into a change beside what is live, for callers who may not publish. Left out if not. */
            drafts?: boolean;
            /** @description The feeds of the type, and its part of the sitemap. Left out if there are none. */
            feed?: components["schemas"]["Feed"] | null;
            /** @description The definitions of the fields by name, in the order in which people see them. */
            fields?: {
                [key: string]: {
                    /**
                     * @default text
                     * @enum {string}
                     */
                    type: "text" | "textarea" | "markdown" | "html" | "number" | "range" | "boolean" | "select" | "date" | "datetime" | "media" | "slug" | "json" | "relation" | "repeater" | "color" | "email" | "url" | "object" | "blocks";
                };
            };
            /** @description The name of an icon of the web interface. */
            icon?: string;
            /** @description The name that people see. */
            label?: string;
            /** @description The name of one entry that people see, such as `post`. Left out if there is none. */
            label_singular?: string;
            /** @description The locales of the entries; empty if the type is not localized. */
            locales?: string[];
            /** @description The fields to rename in all entries; only when a type is changed. */
            migrations?: {
                /** @description The current name of the field. */
                from: string;
                /** @description Its new name. */
                to: string;
            }[];
            /** @description The name, which never changes. */
            name?: string;
            /** @description The pages of a site that show an entry before it is public. Only the admin API returns them. */
            preview?: components["schemas"]["PreviewTarget"][];
            /** @description True if the type has a single entry, named like the type. */
            singleton?: boolean;
            /** @description The field that is the slug of an entry. */
            slug_field?: string;
            /** @description The field that a slug is made from if an entry names none. */
            slug_source?: string;
            /** @description Lists of entries by name, each with the parameters of a list as members: `sort`, `filter`, `q`, `limit`, `offset`, `fields`, `include`, `locale`, `media`, `render` and `pages`. Only the admin API returns them. */
            views?: {
                [key: string]: Record<string, unknown>;
            };
            /**
             * @description Types that are `private` do not exist for callers without a grant to read them or their entries.
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        /** @description With `dry_run` the effects of the change, else the content type. */
        ContentTypeOrEffects: components["schemas"]["AdminContentType"] | components["schemas"]["UpdateEffects"];
        /** @description The body of a request to reorder the content types. */
        ContentTypeOrder: {
            /** @description Types that are left out follow in their current order. */
            names: string[];
        };
        /** @description A relation that leads nowhere. */
        DanglingRelation: {
            /** @description The content type of the entry with the relation. */
            collection: string;
            /** @description The id of that entry. */
            id: string;
            /** @description The path of the outermost field: `data.author`. */
            path: string;
            /** @description The id of the target; null if the caller may not read it. */
            target: string | null;
            /** @description The content type of the target. */
            target_collection: string;
            /** @description The title of that entry. */
            title: string;
        };
        /** @description The dashboard. Parts that the caller may not read are `null`. */
        Dashboard: {
            /** @description The number of content types. */
            content_types: number;
            /** @description The numbers of entries that the caller may read. */
            entries: {
                /** @description The number of entries by status. */
                by_status: {
                    [key: string]: number;
                };
                /** @description The number of entries by content type. */
                by_type: {
                    /** @description The number of its entries. */
                    count: number;
                    /** @description The name of an icon of the web interface. */
                    icon: string;
                    /** @description The name that people see. */
                    label: string;
                    /** @description The name of the type. */
                    name: string;
                    /** @description True if the type has a single entry. */
                    singleton: boolean;
                }[];
                /** @description The number of all entries. */
                total: number;
            };
            /** @description The media files that the caller may read. */
            media: {
                /** @description Their size in bytes. */
                bytes: number;
                /** @description The number of files. */
                count: number;
            };
            /** @description The problems of the data folder; `null` without `settings.read`. */
            problems: {
                /** @description The number of all problems. */
                count: number;
                /** @description The first problems of the list. */
                items: components["schemas"]["Problem"][];
            } | null;
            /** @description The entries that were changed last. */
            recent: components["schemas"]["EntryBrief"][];
            /** @description The newest rows of the activity log; `null` without `activity.read`. */
            recent_activity: components["schemas"]["ActivityRow"][] | null;
            /** @description The next entries that become public. */
            scheduled: components["schemas"]["EntryBrief"][];
            /** @description The use of the disk; `null` without `settings.read`. */
            storage: {
                /** @description The size of content, media and their metadata, at most a minute old; without revisions, trash and backups. */
                data_bytes: number;
                /** @description The bytes that can still be written, if the system reports them. */
                free_bytes: number | null;
            } | null;
        };
        /** @description The effects of a deletion. */
        DeleteEffects: {
            /** @description The number of entries that would be deleted. */
            entries: number;
            /** @description The number of entries of other types whose relations would become dangling. */
            references: number;
            /** @description The number of revisions that would be deleted. */
            revisions: number;
            /** @description The number of entries in the trash that would be deleted. */
            trash: number;
        };
        /** @description An attempt to deliver a message. */
        Delivery: {
            /** @description The number of the attempt. */
            attempt: number;
            /**
             * Format: date-time
             * @description The time of the attempt.
             */
            attempted_at: string;
            /** @description The message that was sent. */
            body: string;
            /** @description The reason why it failed. */
            error: string | null;
            /** @description The name of the event. */
            event: string;
            /** @description The id. */
            id: string;
            /** @description The time until the answer, in milliseconds. */
            latency_ms: number | null;
            /** @description The header `webhook-id`, the same for every attempt. */
            message_id: string;
            /**
             * Format: date-time
             * @description The time of the next attempt, if there will be one.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            occurred_at: string;
            /** @description The id of the request that caused the event. */
            request_id: string | null;
            /** @description The first KiB of the receiver's answer. */
            response: string | null;
            /**
             * @description The state of the message after the attempt.
             * @enum {string}
             */
            state: "delivered" | "retrying" | "failed" | "dropped";
            /** @description The status of the receiver's answer. */
            status: number | null;
            /** @description The id of the webhook. */
            webhook_id: string;
            /** @description The slug of the workspace of the event, if it has one. */
            workspace: string | null;
        };
        /** @description The answer to a request after which there is nothing to show. */
        Done: {
            /**
             * @description Always `true`.
             * @constant
             */
            ok: true;
        };
        /** @description With `dry_run` the report of what would be lost. */
        DoneOrLoss: components["schemas"]["Done"] | components["schemas"]["DeleteEffects"];
        /** @description The result of emptying the trash. */
        Emptied: {
            /** @description The number of entries that were deleted. */
            deleted: number;
            /** @description The number of entries that the caller may read but not delete. */
            failed: number;
        };
        /** @description An entry in a list of entries of several types. */
        EntryBrief: {
            /** @description The id of the entry. */
            id: string;
            /**
             * Format: date-time
             * @description The time from which it is public.
             */
            published_at: string | null;
            /** @description The slug of the entry. */
            slug: string;
            /**
             * @description The status of the entry.
             * @enum {string}
             */
            status: "draft" | "published" | "scheduled" | "protected" | "archived";
            /** @description The title of the entry. */
            title: string;
            /** @description The name of the content type. */
            type: string;
            /** @description The label of the content type. */
            type_label: string;
            /**
             * Format: date-time
             * @description The time from which it is no longer public; absent if it has no end.
             */
            unpublish_at?: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updated_at: string;
            /** @description The id of the user or token that made the last change, if known. */
            updated_by: string | null;
            /** @description The display name of that user or token. */
            updated_by_name: string | null;
        };
        /** @description A problem in the file of an entry, shown beside its values. */
        EntryDefect: {
            /** @description The path in the entry's file, such as `data.rows[2].key`. */
            field: string | null;
            /** @description The kind of problem. */
            kind: components["schemas"]["ProblemKind"];
            /** @description A sentence about the defect. */
            message: string;
            /**
             * @description The severity.
             * @enum {string}
             */
            severity: "warning" | "error";
        };
        /** @description The differences that a change makes to an entry. */
        EntryDiff: {
            /**
             * @description The effect of the change on the entry.
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /** @description The content type. */
            collection: string;
            /** @description True if it was changed or deleted meanwhile in a way that does not go together with it. */
            conflict: boolean;
            /** @description The fields that differ. */
            fields: components["schemas"]["FieldDiff"][];
            /** @description The id. */
            id: string;
        };
        EntryHead: {
            /** @description The id of the author: of a user, or `tok_…` for a token; absent if unknown. */
            author_id?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string;
            /** @description The id, which never changes. */
            id: string;
            /**
             * Format: date-time
             * @description The time from which the entry is public, or `null`.
             */
            published_at: string | null;
            /** @description The readable part of addresses, unique in its type; may change. */
            slug: string;
            /**
             * @description The status that a person set.
             * @enum {string}
             */
            status: "draft" | "published" | "scheduled" | "protected" | "archived";
            /** @description The title. */
            title: string;
            /**
             * Format: date-time
             * @description The time from which the entry is no longer public; absent if it has no end.
             */
            unpublish_at?: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updated_at: string;
            /** @description The id of the user or token that made the last change; absent if unknown. */
            updated_by?: string;
        };
        /** @description An entry, by its names. */
        EntryRef: {
            /** @description The content type. */
            collection: string;
            /** @description The id. */
            id: string;
            /** @description The slug after the change; of an entry that vanishes, before it. */
            slug: string;
            /** @description The title after the change; of an entry that vanishes, before it. */
            title: string;
        };
        /** @description The body of an answer with an error. */
        Error: {
            error: {
                /**
                 * @description The code to branch on.
                 * @enum {string}
                 */
                code: "already_set_up" | "bad_request" | "conflict" | "csrf_mismatch" | "file_too_large" | "file_type_not_allowed" | "forbidden" | "insufficient_storage" | "invalid_backup" | "invalid_code" | "invalid_credentials" | "invalid_image" | "invalid_import" | "invalid_json" | "invalid_password" | "invalid_webhook" | "method_not_allowed" | "not_found" | "not_set_up" | "payload_too_large" | "precondition_failed" | "publish_required" | "range_not_satisfiable" | "rate_limited" | "second_factor_missing" | "second_factor_required" | "server_error" | "start_again" | "storage_unavailable" | "unauthenticated" | "unauthorized" | "unsupported_media_type" | "update_failed" | "upload_failed" | "validation_failed" | "webhook_failed" | "workspace_required";
                /** @description The values in conflict of the first 20 entries, each as an `EntryDiff`; only with `conflict` when a release or drafts are published. */
                conflicts?: {
                    [key: string]: unknown;
                }[];
                /** @description The current state of the resource, if the caller may read it; only with `precondition_failed`. */
                current?: {
                    [key: string]: unknown;
                };
                /** @description Messages by the path of each invalid value; only if there are any. */
                fields?: {
                    [key: string]: string;
                };
                /** @description A message to show to people. */
                message: string;
                /** @description The id to report to the operator; only with statuses of 500 and above. */
                request_id?: string;
                /** @description The seconds after which to try again; only with `rate_limited` and `storage_unavailable`. */
                retry_after?: number;
                /** @description The templates of the messages that have parameters, each with its `text` and `params`: by the path in `fields`, and under the empty path that of `message`. Only in the admin API. */
                templates?: {
                    [key: string]: unknown;
                };
                /** @description The first 20 references that prevent the deletion, as far as the caller may read them; only with `conflict`. */
                usages?: components["schemas"]["Usage"][];
            };
        };
        /** @description An uploaded file whose bytes were there already. */
        ExistingFile: {
            /** @description The name of the file that has the same bytes. */
            existing: string;
            /** @description The name of the uploaded file. */
            filename: string;
        };
        /** @description The settings of feeds and sitemap for the entries of a type. */
        Feed: {
            /** @description The field that holds the whole text. */
            content?: string | null;
            /** @description The field that holds the date, or `published_at`, `created_at` or `updated_at`; by default `published_at`. */
            date?: string | null;
            /** @description The field that holds the summary, as plain text. */
            summary?: string | null;
            /** @description The field that holds the title; by default the title of the entry. */
            title?: string | null;
            /** @description The address of the page of an entry. `{slug}`, `{id}`, `{type}` and `{locale}` in its path, query and fragment stand for those of the entry. */
            url: string;
        };
        /** @description A value that differs. */
        FieldDiff: {
            /** @description The value from which the proposal was begun; null if there was none. */
            base: unknown;
            /** @description True if the live value was changed meanwhile, to another one than the proposed. */
            conflict: boolean;
            /** @description The live value; null if there is none. */
            live: unknown;
            /** @description The path in the file: `title`, `data.body`, `translations.de.data.body`; `translations.de` if one side removed the translation and the other changed it. */
            path: string;
            /** @description The proposed value; null if it is removed. */
            proposed: unknown;
        };
        /** @description The results, best first. */
        Found: {
            /** @description The entries, best matches first. */
            entries: {
                /** @description The id of the entry. */
                id: string;
                /** @description The reason for which the entry was found. */
                match?: {
                    /** @description The name of the field. */
                    field: string;
                    /** @description The name of the field that people see. */
                    label: string;
                    /** @description The text around the words, in one line and without the notation of Markdown, about 160 characters of it. `…` stands for what is left out. */
                    text: string;
                };
                /**
                 * Format: date-time
                 * @description The time from which it is public.
                 */
                published_at: string | null;
                /** @description The slug of the entry. */
                slug: string;
                /**
                 * @description The status of the entry.
                 * @enum {string}
                 */
                status: "draft" | "published" | "scheduled" | "protected" | "archived";
                /** @description The title of the entry. */
                title: string;
                /** @description The name of the content type. */
                type: string;
                /** @description The label of the content type. */
                type_label: string;
                /**
                 * Format: date-time
                 * @description The time from which it is no longer public; absent if it has no end.
                 */
                unpublish_at?: string;
                /**
                 * Format: date-time
                 * @description The time of the last change.
                 */
                updated_at: string;
                /** @description The id of the user or token that made the last change, if known. */
                updated_by: string | null;
                /** @description The display name of that user or token. */
                updated_by_name: string | null;
            }[];
            /** @description The media files. */
            media: components["schemas"]["MediaItem"][];
            /** @description The kinds of which there are more results. */
            more: ("entries" | "media" | "types")[];
            /** @description The content types. */
            types: {
                /** @description The name of an icon of the web interface. */
                icon: string;
                /** @description The name that people see. */
                label: string;
                /** @description The name of the type. */
                name: string;
                /** @description True if the type has a single entry. */
                singleton: boolean;
            }[];
        };
        Grant: {
            /** @description The actions, as names or patterns. */
            actions: string[];
            /** @description The conditions under which it applies. */
            conditions?: {
                /** @description The locales that are read or changed. */
                locales?: string[];
                /** @description Limits it to entries and files of the caller. */
                own?: boolean;
                /** @description The stored statuses of entries. */
                status?: string[];
            };
            /**
             * @description The effect on what it matches.
             * @enum {string}
             */
            effect: "allow" | "deny";
            /** @description The names of fields, or patterns, that a change may touch; all by default. */
            fields?: string[];
            /** @description The resources, as names or patterns. */
            resources: string[];
        };
        /** @description A list may be a single string under the singular name. Unknown keys and values are refused. `effect` is `allow` by default. */
        GrantInput: {
            /** @description The actions, as names or patterns. */
            actions?: string[] | string;
            /** @description The conditions under which it applies. */
            conditions?: {
                /** @description The locales that are read or changed. */
                locales?: string[] | string;
                /** @description Limits it to entries and files of the caller. */
                own?: boolean;
                /** @description The stored statuses of entries. */
                status?: string[] | string;
            };
            /**
             * @description The effect on what it matches.
             * @enum {string}
             */
            effect?: "allow" | "deny";
            /** @description The names of fields, or patterns, that a change may touch; all by default. */
            fields?: string[] | string;
            /** @description The resources, as names or patterns. */
            resources?: string[] | string;
        };
        /** @description The result of a conversion to HTML. */
        Html: {
            html: string;
        };
        /** @description The result of an import or of its dry run. */
        Import: {
            /** @description The parts that are imported differently from how they are in the source; the first 1,000. */
            altered: components["schemas"]["ImportRemark"][];
            /** @description The number of all parts that are imported differently. */
            altered_total: number;
            /** @description True if nothing was to be written. */
            dry_run: boolean;
            /** @description The entries. */
            entries: components["schemas"]["ImportCounts"];
            /** @description The number of files that are written. */
            files: number;
            /** @description The media files. */
            media: components["schemas"]["ImportCounts"];
            /** @description The earlier states of entries. */
            revisions: components["schemas"]["ImportCounts"];
            /** @description The parts of the source that are left out, with the reason; the first 1,000. */
            skipped: components["schemas"]["ImportRemark"][];
            /** @description The number of all parts that are left out. */
            skipped_total: number;
            /** @description The content types that entries go into. */
            types: components["schemas"]["ImportedType"][];
            /** @description True if something was written. Else everything is in the workspace already, or it was a dry run. */
            written: boolean;
        };
        /** @description The numbers of things that are created, updated and left as they are. */
        ImportCounts: {
            /** @description Those that are new. */
            created: number;
            /** @description Those that are in the workspace already. */
            unchanged: number;
            /** @description Those that exist and change. */
            updated: number;
        };
        /** @description A sentence about a place in the source. */
        ImportRemark: {
            /** @description The column, key or field. */
            field?: string;
            /** @description The path of the file in the source. */
            file?: string;
            /** @description The line of the file. */
            line?: number;
            /** @description The sentence. */
            message: string;
            /** @description The row of a table, as spreadsheets count them: the names of the columns are row 1. */
            row?: number;
        };
        /** @description A content type that an import uses. */
        ImportedType: {
            /** @description True if the import creates it. */
            created: boolean;
            /** @description The entries of the type. */
            entries: components["schemas"]["ImportCounts"];
            /** @description The fields with their kinds, `name: kind`. */
            fields: string[];
            /** @description The name. */
            name: string;
        };
        /** @description A new token with its secret. */
        IssuedToken: {
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description The id of the user who created it; null for tokens created on the command line. */
            created_by: string | null;
            /** @description The purpose of the token. */
            description: string;
            /**
             * Format: date-time
             * @description The time when it expires.
             */
            expires_at: string | null;
            /** @description The public part of the token. */
            id: string;
            /**
             * Format: date-time
             * @description The approximate time of the last use.
             */
            last_used_at: string | null;
            /** @description The display name. */
            name: string;
            /** @description The grants of the token. */
            permissions: components["schemas"]["Grant"][];
            /**
             * Format: date-time
             * @description The time until which the secret before the last rotation still counts.
             */
            previous_ends_at: string | null;
            /**
             * Format: date-time
             * @description The time when it was revoked.
             */
            revoked_at: string | null;
            /** @description The value for `Authorization: Bearer`. Only this answer shows it. */
            token: string;
        };
        /** @description The list of a content type before and after the change. */
        ListImpact: {
            /** @description The number of public entries afterwards. */
            after: number;
            /** @description The number of public entries now. */
            before: number;
            /** @description The content type. */
            collection: string;
            /** @description The ids of the entries that enter the list. */
            enters: string[];
            /** @description The ids of the entries that leave it. */
            leaves: string[];
        };
        /** @description The body of a request to log in. */
        Login: {
            /** @description The code of the second factor, or a recovery code. Users with a second factor get `second_factor_required` without it. */
            code?: string;
            /** @description The password. */
            password: string;
            /** @description Keeps the session when the browser is closed. */
            remember?: boolean;
            /** @description The name used to log in. Upper and lower case are the same. */
            username: string;
        };
        /** @description The body of a request to convert a text. */
        MarkdownInput: {
            /** @description The Markdown. */
            text: string;
        };
        /** @description The current user. */
        Me: {
            /** @description The value of `X-CSRF-Token`. */
            csrf_token: string;
            /** @description The slug of the workspace of requests that name none. */
            default_workspace: string;
            /** @description The name shown to others. */
            display_name: string;
            /** @description The e-mail address; may be empty. */
            email: string;
            /** @description True if the user has a picture. */
            has_avatar: boolean;
            /** @description True if a second factor is set up. */
            has_second_factor: boolean;
            /** @description The id. */
            id: string;
            /** @description True if the role requires a second factor and there is none. Then setting it up is all that the session allows, and permissions and workspaces are not listed. */
            must_set_up_second_factor: boolean;
            /** @description The grants of the role. */
            permissions: components["schemas"]["Grant"][];
            /** @description The preferences stored by the interface. */
            preferences: Record<string, unknown>;
            /** @description The id of the role. */
            role: string;
            /** @description The name used to log in. */
            username: string;
            /** @description The workspaces that the user has access to. */
            workspaces: components["schemas"]["Workspace"][];
        };
        /** @description The body of a request that deletes several files. */
        MediaBulkDelete: {
            /** @description The names of the files. */
            files: string[];
        };
        /** @description The result of deleting several files. */
        MediaDeleted: {
            /** @description The names of the deleted files. */
            deleted: string[];
            /** @description The reasons why files were not deleted, by filename. */
            failed: {
                [key: string]: string;
            };
        };
        /** @description A media file with its metadata. */
        MediaItem: {
            /** @description The alternative text; may be empty. In an entry with `media=full`, it is the text of the field that `alt_field` names, if there is one. */
            alt: string;
            /** @description The text of the field that `caption_field` names; may be empty. Only in entries with `media=full`, where a field says so. */
            caption?: string | null;
            /** @description The path of the category, such as `Photos / Travel`; empty without a category. */
            category: string;
            /** @description The average colour of the picture, such as `#8a6f4d`, known as soon as `placeholder` is. */
            color: string | null;
            /** @description The part of the picture that variants show: left, top, width and height, as fractions of its sides; `null` for all of it. */
            crop: number[] | null;
            /** @description True for a picture that needs no alternative text, because it says nothing. */
            decorative: boolean;
            /** @description Changes with the bytes of the file. Caches may keep the file forever if this is added to `url` as `?v=`. */
            etag: string;
            /** @description The name of the file, unique in its workspace. */
            filename: string;
            /** @description The point that stays in view when the picture is cut to a shape, from the left and from the top, as fractions of its sides; `null` for the middle. */
            focus: number[] | null;
            /** @description The height in pixels, or `null` if the file is not a picture. */
            height: number | null;
            /** @description The MIME type, which Recto finds in the file's content. */
            mime: string;
            /** @description The same as `filename`. */
            name: string;
            /** @description The path in `url`. */
            path: string;
            /** @description The picture in some 25 bytes, to be shown until it has loaded: a ThumbHash in Base64. It is `null` until Recto has seen the pixels, and for files that are no pictures. */
            placeholder: string | null;
            /** @description The size in bytes. */
            size: number;
            /** @description The value of the attribute `srcset` of an `img`: all variants and the picture itself. It is `null` if there are no variants. */
            srcset: string | null;
            /** @description The path in `thumb_url`. */
            thumb_path: string | null;
            /**
             * Format: uri
             * @description The address of the thumbnail, or `null` if the file has none.
             */
            thumb_url: string | null;
            /** @description The title; may be empty. */
            title: string;
            /**
             * Format: date-time
             * @description The time of the upload, or that of the file.
             */
            uploaded_at: string;
            /** @description The id of the user or token that uploaded the file, or `null` if it was copied into the folder. */
            uploaded_by: string | null;
            /**
             * Format: uri
             * @description The address of the file.
             */
            url: string;
            /** @description Smaller versions of the picture, narrow ones first; empty for files that are no pictures. */
            variants: components["schemas"]["MediaVariant"][];
            /**
             * @description Files that are `private` are served only to callers who may read them.
             * @enum {string}
             */
            visibility: "public" | "private";
            /** @description The width in pixels, or `null` if the file is not a picture. */
            width: number | null;
        };
        /** @description The `meta` of a list of media. */
        MediaListMeta: {
            /** @description The paths of all categories, such as `Photos / Travel`. */
            categories: string[];
            /** @description The requested limit, or the number of items returned. */
            limit: number;
            /** @description The number of items that are skipped. */
            offset: number;
            /**
             * @description The direction of the first sort key.
             * @enum {string}
             */
            order: "asc" | "desc";
            /** @description The first sort key, without its sign. */
            sort: string;
            /** @description The number of all items that match. */
            total: number;
            /** @description The parts of the request that had no effect, such as unknown parameters, a sentence each. */
            warnings?: string[];
        };
        /** @description The texts and the framing of a media file. What is not sent stays as it is. */
        MediaMetaInput: {
            /** @description The alternative text; an empty text removes it. */
            alt?: string;
            /** @description The part of a picture that variants show: x, y, width and height from 0 to 1; `null` for all of it. */
            crop?: number[] | null;
            /** @description True for a picture that needs no alternative text, because it says nothing. */
            decorative?: boolean;
            /** @description The point of a picture that stays in view: x and y from 0 to 1; `null` for the middle. */
            focus?: number[] | null;
            /** @description The title; an empty text removes it. */
            title?: string;
        };
        /** @description The body of a request that renames a file. */
        MediaRename: {
            /** @description The new name, made safe like the names of uploads, with an extension that fits the file. */
            name: string;
        };
        /** @description Earlier bytes of a media file. */
        MediaRevision: {
            /**
             * Format: date-time
             * @description The time at which the bytes were replaced.
             */
            created_at: string;
            /** @description The id of the user or token that replaced them. */
            created_by: string | null;
            /** @description The display name of that user or token. */
            created_by_name: string | null;
            /**
             * @description The event that replaced them: `update` for other bytes, `restore` for earlier ones.
             * @enum {string|null}
             */
            event: "update" | "bulk" | "restore" | "translation" | "schema" | "media" | "disk" | "change" | "recover" | null;
            /** @description The height in pixels, or `null` if the bytes are no picture. */
            height: number | null;
            /** @description The id. */
            id: string;
            /** @description The MIME type. */
            mime: string;
            /** @description The size in bytes. */
            size: number;
            /** @description The width in pixels, or `null` if the bytes are no picture. */
            width: number | null;
        };
        /** @description A variant of a picture. */
        MediaVariant: {
            /** @description The height in pixels. */
            height: number;
            /**
             * Format: uri
             * @description The address, which caches may keep forever: it changes with the picture.
             */
            url: string;
            /** @description The width in pixels. */
            width: number;
        };
        /** @description A new media category. */
        NewCategory: {
            /** @description The name, or a path below `parent`, such as `Photos / Travel`. Missing parents are created. */
            name: string;
            /** @description The path of the parent; without it, the category is at the top. */
            parent?: string;
        };
        /** @description The body of a request that begins a named change. */
        NewChange: {
            /** @description The display name. */
            label: string;
            /** @description A note for people. */
            note?: string;
            /**
             * Format: date-time
             * @description The time at which it is published by itself.
             */
            publish_at?: string;
            /**
             * Format: date-time
             * @description The end that entries get which it makes public and which have none. It is after `publish_at`.
             */
            unpublish_at?: string;
        };
        NewContentType: {
            cache?: components["schemas"]["CachePolicy"];
            /** @description The locale of requests that name none; empty if the type is not localized. */
            default_locale?: string;
            /** @description True if changes of published entries go into a change beside what is live, for callers who may not publish. Left out if not. */
            drafts?: boolean;
            /** @description The feeds of the type, and its part of the sitemap. Left out if there are none. */
            feed?: components["schemas"]["Feed"] | null;
            /** @description The definitions of the fields by name, in the order in which people see them. */
            fields?: {
                [key: string]: {
                    /**
                     * @default text
                     * @enum {string}
                     */
                    type: "text" | "textarea" | "markdown" | "html" | "number" | "range" | "boolean" | "select" | "date" | "datetime" | "media" | "slug" | "json" | "relation" | "repeater" | "color" | "email" | "url" | "object" | "blocks";
                };
            };
            /** @description The name of an icon of the web interface. */
            icon?: string;
            /** @description The name that people see. */
            label?: string;
            /** @description The name of one entry that people see, such as `post`. Left out if there is none. */
            label_singular?: string;
            /** @description The locales of the entries; empty if the type is not localized. */
            locales?: string[];
            /** @description The fields to rename in all entries; only when a type is changed. */
            migrations?: {
                /** @description The current name of the field. */
                from: string;
                /** @description Its new name. */
                to: string;
            }[];
            /** @description The name, which never changes. */
            name: string;
            /** @description The pages of a site that show an entry before it is public. Only the admin API returns them. */
            preview?: components["schemas"]["PreviewTarget"][];
            /** @description True if the type has a single entry, named like the type. */
            singleton?: boolean;
            /** @description The field that is the slug of an entry. */
            slug_field?: string;
            /** @description The field that a slug is made from if an entry names none. */
            slug_source?: string;
            /** @description Lists of entries by name, each with the parameters of a list as members: `sort`, `filter`, `q`, `limit`, `offset`, `fields`, `include`, `locale`, `media`, `render` and `pages`. Only the admin API returns them. */
            views?: {
                [key: string]: Record<string, unknown>;
            };
            /**
             * @description Types that are `private` do not exist for callers without a grant to read them or their entries.
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        /** @description A preview link that was made just now. */
        NewPreview: {
            /** @description The link as the change lists it. */
            link: components["schemas"]["PreviewLink"];
            /** @description The value of the parameter `preview`. It is shown only now. */
            token: string;
        };
        /** @description The body of a request that creates a role. */
        NewRole: {
            /** @description The display name. */
            label: string;
            /** @description The grants of users with this role. */
            permissions?: components["schemas"]["GrantInput"][];
            /** @description True if users with this role must have a second factor. */
            requires_second_factor?: boolean;
        };
        /** @description The body of a request that issues a token. */
        NewToken: {
            /** @description The purpose of the token. */
            description?: string;
            /** @description A future time; by default, the token never expires. */
            expires_at?: string | null;
            /** @description The display name. */
            name: string;
            /** @description The grants of the token. */
            permissions: components["schemas"]["GrantInput"][];
        };
        /** @description The body of a request that creates a user. */
        NewUser: {
            /** @description The name shown to others. */
            display_name?: string;
            /** @description The e-mail address. */
            email?: string;
            /** @description 8 to 256 bytes. */
            password: string;
            /** @description The id of a role whose grants the caller has too. */
            role: string;
            /** @description The name used to log in. */
            username: string;
        };
        /** @description The body of a request that needs the current password. */
        PasswordProof: {
            /** @description The current password. */
            password: string;
        };
        /** @description The reason why a planned publication did not happen. */
        PlanFailure: {
            /**
             * Format: date-time
             * @description The time.
             */
            at: string;
            /** @description The reason. */
            message: string;
        };
        /** @description The body of a report. */
        Presence: {
            /** @description The id or the slug of the entry. */
            id: string;
            /** @description `false` when the caller has left. */
            present?: boolean;
            /** @description The content type. */
            type: string;
        };
        /** @description The other users at an entry. */
        PresenceOthers: {
            /** @description The number of seconds for which a report counts. */
            seconds: number;
            /** @description The other users who view the entry. */
            users: {
                /** @description The user's id. */
                id: string;
                /** @description The display name. */
                name: string;
            }[];
        };
        /** @description The body of a request that creates a preview link. */
        PreviewInput: {
            /** @description The lifetime in days; 7 if left out. */
            days?: number;
            /** @description The entry to show, whatever its status, as `<type>/<id>`; all of the change if left out. */
            entry?: string;
        };
        /** @description A preview link in the record of a change. Only a hash of its secret is kept, so a data folder in git reveals no link. Whoever removes it revokes it. */
        PreviewLink: {
            /** @description The id of the user or token that created it. */
            created_by: string;
            /** @description The entry that it shows, as `<type>/<id>`, whatever its status; null for all of the change. */
            entry: string | null;
            /**
             * Format: date-time
             * @description The time when it expires.
             */
            expires_at: string;
            /** @description The id of the link. */
            id: string;
        };
        /** @description A page of a site that shows an entry before it is public. */
        PreviewTarget: {
            /** @description The display name. */
            label: string;
            /** @description The address of the page. `{slug}`, `{id}`, `{type}`, `{locale}` and `{token}` in its path, query and fragment stand for those of the entry and of the preview link. */
            url: string;
        };
        /** @description An entry in the form of the public API. */
        PreviewedEntry: {
            [key: string]: unknown;
        };
        /** @description A problem in a file of the data folder. */
        Problem: {
            /** @description True if the problem was accepted. */
            accepted: boolean;
            /** @description The possible repairs: `restore-last-good`, `accept`. */
            actions: ("restore-last-good" | "accept")[];
            /** @description The column in that line, if there is one. */
            column: number | null;
            /** @description The lines around the problem, for callers who may read the file's subject. */
            excerpt: {
                /** @description The column of the position, if there is one. */
                column: number | null;
                /** @description The number of the first line. */
                first_line: number;
                /** @description The line of the position, counted from 1. */
                line: number;
                /** @description The lines. */
                lines: string[];
            } | null;
            /** @description The path of the value in the file, such as `data.body`, if there is one. */
            field: string | null;
            /** @description The name of the file. */
            file: string;
            /** @description The id, which stays the same while the same value of a file has the same defect. */
            id: string;
            /** @description The kind of problem. */
            kind: components["schemas"]["ProblemKind"];
            /** @description The line in the file, if there is one. */
            line: number | null;
            /** @description A sentence about the defect. */
            message: string;
            /** @description The path of the file in the data folder. */
            path: string;
            /**
             * @description The severity.
             * @enum {string}
             */
            severity: "warning" | "error";
            /**
             * Format: date-time
             * @description The time at which it was first seen; unknown for problems that only a deep check finds.
             */
            since: string | null;
            /** @description The slug of the workspace, if the file belongs to one. */
            workspace: string | null;
        };
        /** @description The body of a request to accept a problem. */
        ProblemAccept: {
            /** @description `false` lists the problem again. */
            accepted?: boolean;
        };
        /**
         * @description The kind of a problem.
         * @enum {string}
         */
        ProblemKind: "invalid_json" | "duplicate_key" | "merge_conflict" | "unreadable" | "not_a_file" | "too_large" | "broken_schema" | "unsupported_format" | "invalid_name" | "bom" | "id_mismatch" | "case_collision" | "sync_conflict_copy" | "schema_violation" | "unknown_key" | "dangling_relation" | "missing_media" | "duplicate_slug" | "invalid_slug" | "unknown_type" | "second_singleton" | "invalid_status" | "missing_workspace" | "orphan_base" | "orphan_revisions";
        /** @description The result of repairing a file. */
        ProblemRestored: {
            /** @description The path in the data folder where the broken text is kept for a week. */
            kept_as: string;
            /**
             * @description Always `true`.
             * @constant
             */
            ok: true;
            /** @description The path of the file in the data folder. */
            path: string;
        };
        /** @description The body of a request that changes the caller. */
        ProfileChange: {
            /** @description The name shown to others. */
            display_name?: string;
            /** @description The e-mail address; may be empty. */
            email?: string;
            /** @description Required with `password`. */
            old_password?: string;
            /** @description 8 to 256 bytes. All other sessions end. */
            password?: string;
            /** @description Preferences of the interface; replaced as a whole, at most 64 KiB. */
            preferences?: Record<string, unknown> | null;
        };
        /** @description An entry that a change proposes to change. */
        Proposal: {
            /**
             * @description The effect of the change on the entry.
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /** @description The content type. */
            collection: string;
            /** @description The id. */
            id: string;
            /** @description Why it cannot be published as it is: its content type, a field, a target of a relation or a media file is gone, the entry was deleted, or its file cannot be read. */
            problem: string | null;
            /** @description The slug after the change; of an entry that is deleted, before it. */
            slug: string;
            /** @description The title after the change; of an entry that is deleted, before it. */
            title: string;
            /**
             * Format: date-time
             * @description The time of the last change of the proposal.
             */
            updated_at: string;
        };
        /** @description New recovery codes. Only this answer shows them. */
        RecoveryCodes: {
            /** @description The codes, each of which replaces the app once. */
            recovery_codes: string[];
        };
        /** @description The body of a request for a review, or for more work. */
        ReviewInput: {
            /** @description A note for the people who work on the change. */
            note?: string;
        };
        /** @description A request for the review of a change, or for more work. */
        ReviewNote: {
            /**
             * Format: date-time
             * @description The time.
             */
            at: string;
            /** @description The id of the user or token. */
            by: string;
            /** @description The display name of that user or token. */
            by_name: string | null;
            /** @description The note. */
            note: string;
        };
        /** @description An earlier state of an entry, as far as its reader sees it. */
        Revision: {
            /** @description The id of the change whose publication replaced it, if the caller may read that change. */
            change: string | null;
            /** @description The differences to the next state: keys of the entry and names of fields. */
            changed: string[];
            /**
             * Format: date-time
             * @description The time at which the state was replaced.
             */
            created_at: string;
            /** @description The id of the user or token that replaced it. */
            created_by: string | null;
            /** @description The display name of that user or token. */
            created_by_name: string | null;
            /** @description The entry at that time, parsed by the current definition of its type. */
            entry: components["schemas"]["AdminEntry"];
            /**
             * @description The event that replaced it.
             * @enum {string|null}
             */
            event: "update" | "bulk" | "restore" | "translation" | "schema" | "media" | "disk" | "change" | "recover" | null;
            /** @description The id. */
            id: string;
            /** @description The slug at that time. */
            slug: string;
            /**
             * @description The status at that time.
             * @enum {string}
             */
            status: "draft" | "published" | "scheduled" | "protected" | "archived";
            /** @description The title at that time. */
            title: string;
        };
        /** @description A role. */
        Role: {
            /**
             * Format: date-time
             * @description The time of creation; null for built-in roles.
             */
            created_at: string | null;
            /** @description The id. */
            id: string;
            /** @description The display name. */
            label: string;
            /** @description True if the role cannot be changed. */
            locked: boolean;
            /** @description The grants of users with this role. */
            permissions: components["schemas"]["Grant"][];
            /** @description True if users with this role must have a second factor before they can do anything. */
            requires_second_factor: boolean;
            /** @description True if the role is built in and cannot be deleted. */
            system: boolean;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updated_at: string | null;
            /** @description The number of users who have it. */
            users: number;
        };
        /** @description The body of a request that changes a role. */
        RoleChange: {
            /** @description The display name. */
            label?: string;
            /** @description The grants of users with this role. */
            permissions?: components["schemas"]["GrantInput"][];
            /** @description True if users with this role must have a second factor. Of the administrators' role, only this can be changed. */
            requires_second_factor?: boolean;
        };
        /** @description The names of samples. */
        SampleNames: {
            /** @description The entries. */
            entries: {
                /** @description The id. */
                id: string;
                /** @description The name of its content type. */
                type: string;
            }[];
            /** @description The names of media files. */
            media: string[];
            /** @description The names of content types. */
            types: string[];
        };
        /** @description The samples that are in a workspace. */
        Samples: {
            /** @description The others. */
            kept: components["schemas"]["SampleNames"];
            /** @description Those that nobody has edited, and that no other content uses: removing samples removes these. In the answer to that, those that were removed. */
            removable: components["schemas"]["SampleNames"];
        };
        /** @description A saved view. */
        SavedView: {
            /** @description The columns to show, in their order. */
            columns: string[];
            /** @description The unique id. */
            id: string;
            /** @description The name. */
            name: string;
            /** @description The query string of the list. */
            query: string;
        };
        /** @description A view in a request. */
        SavedViewInput: {
            /** @description The columns to show, in their order. */
            columns?: string[];
            /** @description The id of an existing view; a new view gets one. */
            id?: string;
            /** @description The name. */
            name: string;
            /** @description The query string of the list. */
            query?: string;
        };
        /** @description The second factor of the current user. */
        SecondFactor: {
            /**
             * Format: date-time
             * @description The time when it was set up.
             */
            created_at: string | null;
            /** @description True if it is set up. */
            enabled: boolean;
            /** @description The number of recovery codes that were not used. */
            recovery_codes_left: number;
            /** @description True if the role requires it. */
            required: boolean;
        };
        /** @description A second factor to confirm with a code, within 15 minutes. */
        SecondFactorSetup: {
            /** @description The address as a QR code: an SVG document. */
            qr_svg: string;
            /** @description The secret in base32, to type into an authenticator app. */
            secret: string;
            /** @description The same for apps, as an `otpauth:` address. */
            uri: string;
        };
        /** @description A session of a user. */
        Session: {
            /** @description The browser's user agent. */
            agent: string;
            /**
             * Format: date-time
             * @description The time of the login.
             */
            created_at: string;
            /** @description True if the request belongs to this session. */
            current: boolean;
            /** @description The id. */
            id: string;
            /** @description The address of the client. */
            ip: string;
            /** @description True if it outlasts the browser being closed. */
            remember: boolean;
            /**
             * Format: date-time
             * @description The approximate time of the last request.
             */
            used_at: string;
        };
        /** @description The settings that people can change. */
        Settings: {
            /** @description A group of settings. */
            cache: {
                /** @description Seconds for which caches may reuse an anonymous answer without asking again. */
                max_age: number;
                /** @description Seconds after that for which caches may still use it while they ask again. */
                stale_while_revalidate: number;
            };
            /** @description A group of settings. */
            changes: {
                /** @description The approvals that a release of entries needs before it is published; 0 for none. */
                approvals_required: number;
                /** @description Whether people may approve releases that they worked on. */
                author_may_approve: boolean;
            };
            /** @description A group of settings. */
            cors: {
                /** @description Origins whose pages may read the public API; * for all, empty for none. */
                origins: string[];
            };
            /** @description The workspace of requests that name none. */
            default_workspace: string;
            /** @description A group of settings. */
            images: {
                /** @description The maximum size in bytes of the cache of resized pictures. */
                cache_bytes: number;
                /** @description Named sizes of pictures: objects with `w`, `h`, `fit`, `q` and `format` by name. */
                presets: {
                    [key: string]: {
                        /** @enum {string} */
                        fit?: "cover" | "contain" | "inside";
                        /** @enum {string} */
                        format?: "auto" | "jpeg" | "webp" | "png";
                        h?: number;
                        q?: number;
                        w?: number;
                    };
                };
            };
            /** @description A group of settings. */
            lists: {
                /** @description The maximum number of entries or media files in a list; 0 for no limit. */
                max_limit: number;
            };
            /** @description The number of revisions kept for each entry and media file; 0 for none, -1 for all. */
            max_revisions: number;
            /** @description The name of the installation. */
            site_name: string;
            /** @description Days after which deleted entries leave the trash; `null` for never. */
            trash_retention_days: number | null;
            /** @description A group of settings. */
            upload: {
                /** @description Accepted MIME types of uploads, such as image/*; empty for all supported types. */
                allowed_types: string[];
                /** @description The maximum size in bytes of an uploaded file. */
                max_bytes: number;
            };
        };
        /** @description The settings to change; `null` restores a default, also of a whole group. */
        SettingsInput: {
            /** @description A group of settings. */
            cache?: {
                /** @description Seconds for which caches may reuse an anonymous answer without asking again. */
                max_age?: number | null;
                /** @description Seconds after that for which caches may still use it while they ask again. */
                stale_while_revalidate?: number | null;
            } | null;
            /** @description A group of settings. */
            changes?: {
                /** @description The approvals that a release of entries needs before it is published; 0 for none. */
                approvals_required?: number | null;
                /** @description Whether people may approve releases that they worked on. */
                author_may_approve?: boolean | null;
            } | null;
            /** @description A group of settings. */
            cors?: {
                /** @description Origins whose pages may read the public API; * for all, empty for none. */
                origins?: string[] | null;
            } | null;
            /** @description The workspace of requests that name none. */
            default_workspace?: string | null;
            /** @description A group of settings. */
            images?: {
                /** @description The maximum size in bytes of the cache of resized pictures. */
                cache_bytes?: number | null;
                /** @description Named sizes of pictures: objects with `w`, `h`, `fit`, `q` and `format` by name. */
                presets?: {
                    [key: string]: {
                        /** @enum {string} */
                        fit?: "cover" | "contain" | "inside";
                        /** @enum {string} */
                        format?: "auto" | "jpeg" | "webp" | "png";
                        h?: number;
                        q?: number;
                        w?: number;
                    };
                } | null;
            } | null;
            /** @description A group of settings. */
            lists?: {
                /** @description The maximum number of entries or media files in a list; 0 for no limit. */
                max_limit?: number | null;
            } | null;
            /** @description The number of revisions kept for each entry and media file; 0 for none, -1 for all. */
            max_revisions?: number | null;
            /** @description The name of the installation. */
            site_name?: string | null;
            /** @description Days after which deleted entries leave the trash; `null` for never. */
            trash_retention_days?: number | null;
            /** @description A group of settings. */
            upload?: {
                /** @description Accepted MIME types of uploads, such as image/*; empty for all supported types. */
                allowed_types?: string[] | null;
                /** @description The maximum size in bytes of an uploaded file. */
                max_bytes?: number | null;
            } | null;
        };
        /** @description The body of the request that creates the first user. */
        Setup: {
            /** @description The name shown to others. */
            display_name?: string;
            /** @description The e-mail address. */
            email?: string;
            /** @description 8 to 256 bytes. */
            password: string;
            /** @description False to begin without the sample content. */
            samples?: boolean;
            /** @description The token in the link that the server prints at start; not required on the machine itself. */
            setup_token?: string;
            /** @description The name used to log in. */
            username: string;
            /** @description The label of the workspace `default`; empty to keep its own. */
            workspace?: string;
        };
        /** @description A public entry that gets another slug. */
        SlugImpact: {
            /** @description The content type. */
            collection: string;
            /** @description The slug now. */
            from: string;
            /** @description The id. */
            id: string;
            /** @description The title after the change. */
            title: string;
            /** @description The slug afterwards. */
            to: string;
        };
        /** @description The record of a token. */
        Token: {
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description The id of the user who created it; null for tokens created on the command line. */
            created_by: string | null;
            /** @description The purpose of the token. */
            description: string;
            /**
             * Format: date-time
             * @description The time when it expires.
             */
            expires_at: string | null;
            /** @description The public part of the token. */
            id: string;
            /**
             * Format: date-time
             * @description The approximate time of the last use.
             */
            last_used_at: string | null;
            /** @description The display name. */
            name: string;
            /** @description The grants of the token. */
            permissions: components["schemas"]["Grant"][];
            /**
             * Format: date-time
             * @description The time until which the secret before the last rotation still counts.
             */
            previous_ends_at: string | null;
            /**
             * Format: date-time
             * @description The time when it was revoked.
             */
            revoked_at: string | null;
        };
        /** @description The body of a request that changes a token. */
        TokenChange: {
            /** @description The purpose of the token. */
            description?: string;
            /** @description The display name. */
            name?: string;
        };
        /** @description The body of a request that rotates a token. */
        TokenRotation: {
            /** @description The seconds for which the secret before still counts: a day by default, 0 to end it at once. */
            overlap_seconds?: number;
        };
        /** @description The values that an entry has in one locale itself, without fallbacks. */
        Translation: {
            /** @description The values of the fields. */
            data: Record<string, unknown>;
            /** @description The title. */
            title?: string | null;
        };
        /** @description The number of entries in the trash by content type. */
        TrashOverview: {
            /** @description The number of entries. */
            count: number;
            /** @description The label of the type. */
            label: string;
            /** @description The name of the type. */
            name: string;
        }[];
        /** @description The entry as it was. Its `id` is its name in the trash, with `~` and a number if several entries with one id were deleted. */
        TrashedEntry: components["schemas"]["AdminEntry"] & {
            /**
             * Format: date-time
             * @description The time of the deletion.
             */
            deleted_at: string;
            /** @description The id of the user or token that deleted it, if known. */
            deleted_by: string | null;
            /** @description The display name of that user or token. */
            deleted_by_name: string | null;
        };
        /** @description The effects of an update. */
        UpdateEffects: {
            /** @description The number of entries. */
            entries: number;
            /** @description The effects on the values of the entries. */
            fields: Record<string, unknown>[];
            /** @description The number of files, including those in the trash, in which fields are renamed. */
            rewritten: number;
            /** @description The number of entries in the trash. */
            trash: number;
            /** @description The number of files, including those in the trash, that cannot be read. While there are any, fields cannot be renamed. */
            unreadable: number;
            /** @description Warnings about ignored parts of the request, and about values that become HTML. */
            warnings: string[];
        };
        /** @description The state of updates in the form that is shown. */
        UpdateStatus: {
            /** @description The URL of the release channel; null if none is configured. */
            channel_url: string | null;
            /**
             * Format: date-time
             * @description The time of the last check.
             */
            checked_at: string | null;
            /** @description The running version. */
            current_version: string;
            /** @description The latest release, as of the last check; null if the channel was not asked yet. */
            latest: {
                /** @description The release notes as untrusted Markdown. */
                notes: string;
                /**
                 * Format: date-time
                 * @description The time of the release.
                 */
                released_at: string | null;
                /** @description The size of the program in bytes, if known. */
                size: number | null;
                /** @description The version. */
                version: string;
            } | null;
            /** @description The state in one sentence. */
            message: string;
            /** @description True if a release was installed that does not run yet. */
            restart_needed: boolean;
            /** @description The downloaded release that can be installed. */
            staged: {
                /**
                 * Format: date-time
                 * @description The time of the download.
                 */
                downloaded_at: string;
                /** @description The SHA-256 of its program. */
                sha256: string;
                /** @description The size of the program in bytes. */
                size: number;
                /** @description The version. */
                version: string;
            } | null;
            /** @description The platform of the program. */
            target: string;
            /** @description True if that release is newer and has a program for this platform. */
            update_available: boolean;
        };
        Upload: {
            /** @description The path of the category of all files, such as `Photos / Travel`. */
            category?: string;
            /** @description The files. */
            "media[]": string[];
            /**
             * @description The visibility of all files; `public` by default.
             * @enum {string}
             */
            visibility?: "public" | "private";
        };
        /** @description The `meta` of an upload. */
        UploadMeta: {
            /** @description The paths of all categories, such as `Photos / Travel`. */
            categories: string[];
            /** @description The uploaded files whose bytes were there already, under other names. */
            existing?: components["schemas"]["ExistingFile"][];
        };
        /** @description The place in an entry that refers to another entry or shows a file. */
        Usage: {
            /** @description The id of the change that proposes it; absent if it is live. */
            change?: string | null;
            /** @description The field of the entry; for a nested value, the outermost one. */
            field: string;
            /** @description The id of the entry. */
            id: string;
            /** @description The title of the entry. */
            title: string;
            /** @description The name of the entry's content type. */
            type: string;
        };
        /** @description A user who can log in. */
        User: {
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description The name shown to others. */
            display_name: string;
            /** @description The e-mail address; may be empty. */
            email: string;
            /** @description True if the user has a picture. */
            has_avatar: boolean;
            /** @description True if a second factor is set up. */
            has_second_factor: boolean;
            /** @description The id; entries name it as their author. */
            id: string;
            /**
             * Format: date-time
             * @description The time of the last login.
             */
            last_login_at: string | null;
            /** @description The id of the role. */
            role: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updated_at: string | null;
            /** @description The name used to log in. */
            username: string;
        };
        /** @description The body of a request that changes a user. */
        UserChange: {
            /** @description The name shown to others. */
            display_name?: string;
            /** @description The e-mail address; may be empty. */
            email?: string;
            /** @description Required to change one's own password. */
            old_password?: string;
            /** @description 8 to 256 bytes. All sessions of the user end. */
            password?: string;
            /** @description The id of a role whose grants the caller has too. */
            role?: string;
        };
        /** @description The saved views of one type. */
        Views: {
            /** @description The caller's own views. */
            own: components["schemas"]["SavedView"][];
            /** @description The views for everyone. */
            shared: components["schemas"]["SavedView"][];
        };
        /** @description The body of a request that saves views. A list that is sent replaces the existing one, and one request changes one of the two. Shared views need `schema.update` on the type. */
        ViewsInput: {
            /** @description The caller's own views. */
            own?: components["schemas"]["SavedViewInput"][];
            /** @description The views for everyone. */
            shared?: components["schemas"]["SavedViewInput"][];
        };
        /** @description The visibility of a media file. */
        VisibilityInput: {
            /**
             * @description The new visibility.
             * @enum {string}
             */
            visibility: "public" | "private";
        };
        /** @description A webhook. */
        Webhook: {
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description The seconds for which events are collected and then sent in one call; 0 sends each on its own. */
            debounce_seconds: number;
            /** @description True if messages are sent. */
            enabled: boolean;
            /** @description The events to send. */
            events: string[];
            /** @description The id. */
            id: string;
            /** @description The last attempt to send a message. */
            last_delivery: components["schemas"]["Delivery"] | null;
            /** @description The display name. */
            name: string;
            /** @description The secret, only in the answer to the request that created it. */
            secret?: string;
            /** @description True if it has a secret. Nothing is sent without one. */
            secret_set: boolean;
            /** @description The address that receives the messages. */
            url: string;
            /** @description The number of messages that are not sent yet. */
            waiting: number;
            /** @description The workspaces whose events are sent. */
            workspaces: string[];
        };
        /** @description A webhook in a request. */
        WebhookInput: {
            /** @description The seconds for which events are collected and then sent in one call; 0, the default, sends each on its own. */
            debounce_seconds?: number;
            /** @description `true` by default. */
            enabled?: boolean;
            /** @description Names of events, `content.*`, `media.*`, `schema.*`, or `*` for all. A webhook without events gets no messages. */
            events?: string[];
            /** @description The id of an existing webhook; leave it out for a new one. */
            id?: string | null;
            /** @description The display name. */
            name: string;
            /** @description 16 to 256 characters, or `whsec_` and 24 to 64 bytes in base64. If left out, the secret stays the same; `null` creates a new one. */
            secret?: string | null;
            /** @description The address that receives the messages. */
            url: string;
            /** @description Slugs, or `*` for all, the default. */
            workspaces?: string[] | null;
        };
        /** @description All webhooks. */
        Webhooks: {
            /** @description The webhooks. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description The body of a request that replaces all webhooks. */
        WebhooksReplace: {
            /** @description The webhooks. Existing ones that are left out are deleted. */
            webhooks: components["schemas"]["WebhookInput"][];
        };
        /** @description A workspace. */
        Workspace: {
            /** @description True if it is archived. */
            archived: boolean;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string | null;
            /** @description True if it is the workspace of requests that name none. */
            default: boolean;
            /** @description The address of its picture, relative to the root of the site. */
            icon_url: string | null;
            /** @description The label. */
            label: string;
            /** @description The name in addresses, which never changes. */
            slug: string;
            /**
             * Format: date-time
             * @description The time of the last change of the workspace itself.
             */
            updated_at: string | null;
        };
        /** @description The body of a request that creates a workspace. */
        WorkspaceCreate: {
            /** @description The label. */
            label: string;
            /** @description Made from the label by default; it never changes. */
            slug?: string;
        };
        /** @description The body of a request that changes a workspace. */
        WorkspaceUpdate: {
            /** @description True if it is archived. */
            archived?: boolean;
            /** @description True if requests that name no workspace use it; `true` makes it the default instead of another one. */
            default?: boolean;
            /** @description The label. */
            label?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessAnswer = components['schemas']['AccessAnswer'];
export type AccessQuestion = components['schemas']['AccessQuestion'];
export type ActivityRow = components['schemas']['ActivityRow'];
export type AdminContentType = components['schemas']['AdminContentType'];
export type AdminEntry = components['schemas']['AdminEntry'];
export type AdminEntryInput = components['schemas']['AdminEntryInput'];
export type App = components['schemas']['App'];
export type Approval = components['schemas']['Approval'];
export type Backup = components['schemas']['Backup'];
export type BackupCounts = components['schemas']['BackupCounts'];
export type BackupCreate = components['schemas']['BackupCreate'];
export type BackupFlaw = components['schemas']['BackupFlaw'];
export type BackupInspection = components['schemas']['BackupInspection'];
export type BackupManifest = components['schemas']['BackupManifest'];
export type BackupPart = components['schemas']['BackupPart'];
export type BackupRestore = components['schemas']['BackupRestore'];
export type BackupRestored = components['schemas']['BackupRestored'];
export type BackupSchedule = components['schemas']['BackupSchedule'];
export type BackupUpload = components['schemas']['BackupUpload'];
export type Backups = components['schemas']['Backups'];
export type BulkCategory = components['schemas']['BulkCategory'];
export type BulkDelete = components['schemas']['BulkDelete'];
export type BulkDeleted = components['schemas']['BulkDeleted'];
export type BulkErrors = components['schemas']['BulkErrors'];
export type BulkUpdate = components['schemas']['BulkUpdate'];
export type BulkUpdated = components['schemas']['BulkUpdated'];
export type BulkVisibilityInput = components['schemas']['BulkVisibilityInput'];
export type CachePolicy = components['schemas']['CachePolicy'];
export type Categories = components['schemas']['Categories'];
export type Category = components['schemas']['Category'];
export type CategoryNameInput = components['schemas']['CategoryNameInput'];
export type CategoryOfFileInput = components['schemas']['CategoryOfFileInput'];
export type Change = components['schemas']['Change'];
export type ChangeImpact = components['schemas']['ChangeImpact'];
export type ChangeInput = components['schemas']['ChangeInput'];
export type ChangeRights = components['schemas']['ChangeRights'];
export type CodeInput = components['schemas']['CodeInput'];
export type ContentType = components['schemas']['ContentType'];
export type ContentTypeInput = components['schemas']['ContentTypeInput'];
export type ContentTypeOrEffects = components['schemas']['ContentTypeOrEffects'];
export type ContentTypeOrder = components['schemas']['ContentTypeOrder'];
export type DanglingRelation = components['schemas']['DanglingRelation'];
export type Dashboard = components['schemas']['Dashboard'];
export type DeleteEffects = components['schemas']['DeleteEffects'];
export type Delivery = components['schemas']['Delivery'];
export type Done = components['schemas']['Done'];
export type DoneOrLoss = components['schemas']['DoneOrLoss'];
export type Emptied = components['schemas']['Emptied'];
export type EntryBrief = components['schemas']['EntryBrief'];
export type EntryDefect = components['schemas']['EntryDefect'];
export type EntryDiff = components['schemas']['EntryDiff'];
export type EntryHead = components['schemas']['EntryHead'];
export type EntryRef = components['schemas']['EntryRef'];
export type Error = components['schemas']['Error'];
export type ExistingFile = components['schemas']['ExistingFile'];
export type Feed = components['schemas']['Feed'];
export type FieldDiff = components['schemas']['FieldDiff'];
export type Found = components['schemas']['Found'];
export type Grant = components['schemas']['Grant'];
export type GrantInput = components['schemas']['GrantInput'];
export type Html = components['schemas']['Html'];
export type Import = components['schemas']['Import'];
export type ImportCounts = components['schemas']['ImportCounts'];
export type ImportRemark = components['schemas']['ImportRemark'];
export type ImportedType = components['schemas']['ImportedType'];
export type IssuedToken = components['schemas']['IssuedToken'];
export type ListImpact = components['schemas']['ListImpact'];
export type Login = components['schemas']['Login'];
export type MarkdownInput = components['schemas']['MarkdownInput'];
export type Me = components['schemas']['Me'];
export type MediaBulkDelete = components['schemas']['MediaBulkDelete'];
export type MediaDeleted = components['schemas']['MediaDeleted'];
export type MediaItem = components['schemas']['MediaItem'];
export type MediaListMeta = components['schemas']['MediaListMeta'];
export type MediaMetaInput = components['schemas']['MediaMetaInput'];
export type MediaRename = components['schemas']['MediaRename'];
export type MediaRevision = components['schemas']['MediaRevision'];
export type MediaVariant = components['schemas']['MediaVariant'];
export type NewCategory = components['schemas']['NewCategory'];
export type NewChange = components['schemas']['NewChange'];
export type NewContentType = components['schemas']['NewContentType'];
export type NewPreview = components['schemas']['NewPreview'];
export type NewRole = components['schemas']['NewRole'];
export type NewToken = components['schemas']['NewToken'];
export type NewUser = components['schemas']['NewUser'];
export type PasswordProof = components['schemas']['PasswordProof'];
export type PlanFailure = components['schemas']['PlanFailure'];
export type Presence = components['schemas']['Presence'];
export type PresenceOthers = components['schemas']['PresenceOthers'];
export type PreviewInput = components['schemas']['PreviewInput'];
export type PreviewLink = components['schemas']['PreviewLink'];
export type PreviewTarget = components['schemas']['PreviewTarget'];
export type PreviewedEntry = components['schemas']['PreviewedEntry'];
export type Problem = components['schemas']['Problem'];
export type ProblemAccept = components['schemas']['ProblemAccept'];
export type ProblemKind = components['schemas']['ProblemKind'];
export type ProblemRestored = components['schemas']['ProblemRestored'];
export type ProfileChange = components['schemas']['ProfileChange'];
export type Proposal = components['schemas']['Proposal'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type ReviewInput = components['schemas']['ReviewInput'];
export type ReviewNote = components['schemas']['ReviewNote'];
export type Revision = components['schemas']['Revision'];
export type Role = components['schemas']['Role'];
export type RoleChange = components['schemas']['RoleChange'];
export type SampleNames = components['schemas']['SampleNames'];
export type Samples = components['schemas']['Samples'];
export type SavedView = components['schemas']['SavedView'];
export type SavedViewInput = components['schemas']['SavedViewInput'];
export type SecondFactor = components['schemas']['SecondFactor'];
export type SecondFactorSetup = components['schemas']['SecondFactorSetup'];
export type Session = components['schemas']['Session'];
export type Settings = components['schemas']['Settings'];
export type SettingsInput = components['schemas']['SettingsInput'];
export type Setup = components['schemas']['Setup'];
export type SlugImpact = components['schemas']['SlugImpact'];
export type Token = components['schemas']['Token'];
export type TokenChange = components['schemas']['TokenChange'];
export type TokenRotation = components['schemas']['TokenRotation'];
export type Translation = components['schemas']['Translation'];
export type TrashOverview = components['schemas']['TrashOverview'];
export type TrashedEntry = components['schemas']['TrashedEntry'];
export type UpdateEffects = components['schemas']['UpdateEffects'];
export type UpdateStatus = components['schemas']['UpdateStatus'];
export type Upload = components['schemas']['Upload'];
export type UploadMeta = components['schemas']['UploadMeta'];
export type Usage = components['schemas']['Usage'];
export type User = components['schemas']['User'];
export type UserChange = components['schemas']['UserChange'];
export type Views = components['schemas']['Views'];
export type ViewsInput = components['schemas']['ViewsInput'];
export type VisibilityInput = components['schemas']['VisibilityInput'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookInput = components['schemas']['WebhookInput'];
export type Webhooks = components['schemas']['Webhooks'];
export type WebhooksReplace = components['schemas']['WebhooksReplace'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceCreate = components['schemas']['WorkspaceCreate'];
export type WorkspaceUpdate = components['schemas']['WorkspaceUpdate'];
export type $defs = Record<string, never>;
export interface operations {
    "admin.roles.access_check": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessQuestion"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessAnswer"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.activity.list": {
        parameters: {
            query?: {
                /** @description Only rows of this level. */
                level?: "info" | "warning" | "error";
                /** @description Kinds of events, separated by commas; `content` selects all of content. */
                type?: string;
                /** @description Only rows of this workspace. */
                workspace?: string;
                /** @description Only rows of this user, by id or name. */
                user?: string;
                /** @description A text in the message or the user's name. */
                q?: string;
                /** @description Only rows from this time on. */
                since?: string;
                /** @description Only rows up to this time; a date includes the whole day. */
                until?: string;
                /** @description The maximum number of rows; 50 by default, at most 500. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ActivityRow"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.dashboard.app": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Backups"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackupCreate"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Backup"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.upload": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    backup: string;
                };
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BackupUpload"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.delete": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a backup. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.download": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a backup. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.inspect": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a backup. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BackupInspection"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.backups.restore": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a backup. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackupRestore"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BackupRestored"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Range Not Satisfiable: `range_not_satisfiable` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_backup` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.list": {
        parameters: {
            query?: {
                /** @description The states to list, separated by commas: `open,in_review,approved`. All if left out. */
                state?: string;
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewChange"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.update": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.delete": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.approve": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.withdraw_approval": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.diff": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EntryDiff"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.discard": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.impact": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChangeImpact"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.preview": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewInput"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewPreview"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.revoke_preview": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
                /** @description The id of a preview link. */
                link: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.publish": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.revert": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.request_review": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.changes.return": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of a change, or `pending` for the own drafts. */
                change: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.list": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminContentType"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContentType"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminContentType"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.order": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContentTypeOrder"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminContentType"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminContentType"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.update": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContentTypeInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ContentTypeOrEffects"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content_types.delete": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DoneOrLoss"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.list": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Up to 8 sort keys, separated by commas, with `-` in front for descending (`-date,title`): keys of the entry, or fields, with dots into objects. The default is `-created_at`; ties are broken by id, so paging is stable. */
                sort?: string;
                /** @description The direction of keys without `-`. */
                order?: "asc" | "desc";
                /** @description Words that must all occur in title, slug or any text, nested texts included. Search ignores case and accents and finds parts of words. */
                q?: string;
                /** @description `filter[field]=value` or `filter[field][operator]=value`; all filters must match. */
                filter?: {
                    [key: string]: string;
                };
                /** @description Relation fields to expand, separated by commas. Replaces each id by the entry, as this caller sees it, in the same locale. Dots go deeper (`author.company`), up to 5 levels. A name that is not a relation is ignored with a warning. */
                include?: string;
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. `de-AT` is answered in `de` if the type has no `de-AT`. A locale that the type does not have is ignored with a warning. */
                locale?: string;
                /** @description The fields of `data` to return, separated by commas. */
                fields?: string;
                /** @description Adds `meta.counts`: the number of matching entries by status. */
                counts?: "status";
                /** @description Turns mistakes in filters and sort keys into warnings. */
                lenient?: boolean;
                /** @description The id of a change (a release), or `pending` for the own drafts: the answer shows it as if it were live. Takes a permission to read every entry of the change. */
                change?: string;
                /** @description A time in the future: the answer shows what will be public then, by the schedule of entries and by planned changes. Takes a permission to read all entries of a type; others stay as they are now. */
                at?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.create": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description The id of a change (a release), or `pending` for the own drafts: what is written is proposed there, and nothing live changes. */
                change?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminEntryInput"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.bulk_delete": {
        parameters: {
            query?: {
                /** @description Deletes nothing that another entry refers to. */
                guard?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDelete"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkDeleted"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.bulk_update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdate"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkUpdated"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.show": {
        parameters: {
            query?: {
                /** @description Relation fields to expand, separated by commas. Replaces each id by the entry, as this caller sees it, in the same locale. Dots go deeper (`author.company`), up to 5 levels. A name that is not a relation is ignored with a warning. */
                include?: string;
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. `de-AT` is answered in `de` if the type has no `de-AT`. A locale that the type does not have is ignored with a warning. */
                locale?: string;
                /** @description The fields of `data` to return, separated by commas. */
                fields?: string;
                /** @description The id of a change (a release), or `pending` for the own drafts: the answer shows it as if it were live. Takes a permission to read every entry of the change. */
                change?: string;
                /** @description A time in the future: the answer shows what will be public then, by the schedule of entries and by planned changes. Takes a permission to read all entries of a type; others stay as they are now. */
                at?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.update": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description The id of a change (a release), or `pending` for the own drafts: what is written is proposed there, and nothing live changes. */
                change?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminEntryInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.delete": {
        parameters: {
            query?: {
                /** @description Deletes nothing that another entry refers to. */
                guard?: boolean;
                /** @description The id of a change (a release), or `pending` for the own drafts: what is written is proposed there, and nothing live changes. */
                change?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.patch": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description The id of a change (a release), or `pending` for the own drafts: what is written is proposed there, and nothing live changes. */
                change?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminEntryInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.duplicate": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.revisions.list": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. A locale that the type does not have is ignored. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Revision"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.revisions.show": {
        parameters: {
            query?: {
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. A locale that the type does not have is ignored. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
                /** @description The id of a revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Revision"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.revisions.restore": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
                /** @description The id of a revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.delete_translation": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
                /** @description The code of a locale. */
                locale: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.content.usages": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.dashboard.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.events.stream": {
        parameters: {
            query?: {
                /** @description Only events of this workspace, and events of no workspace. */
                workspace?: string;
                /** @description The same as the header `Last-Event-ID`. */
                last_event_id?: string;
                /** @description `0` returns the missed events and ends the stream. */
                wait?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.imports.create": {
        parameters: {
            query?: {
                /** @description Reports what would happen, without doing it. */
                dry_run?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The format, and what it needs. */
                    options: {
                        /** @description The workspace of the source, with the kind `php`; the one of the same name unless given. */
                        from?: string;
                        /** @description The unique field by which the rows of a table find existing entries; `slug`, else `id`, unless given. */
                        key?: string;
                        /**
                         * @description The format of the source.
                         * @enum {string}
                         */
                        kind: "csv" | "json" | "ndjson" | "markdown" | "php" | "contentful" | "directus" | "strapi" | "wordpress";
                        /** @description The locale of the values, in tables and Markdown. */
                        locale?: string;
                        /** @description The fields that columns of a table go into, by column; an empty text leaves a column out. Other columns go into the field of their name or label. */
                        map?: {
                            [key: string]: string;
                        };
                        /** @description The status of entries that name none, in tables and Markdown. */
                        status?: string;
                        /** @description The content type of the rows of a table. */
                        type?: string;
                    };
                    /** Format: binary */
                    source: string;
                };
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Import"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image`, `invalid_import` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.auth.login": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `invalid_credentials`, `unauthenticated`, `second_factor_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `already_set_up`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.auth.proxy_login": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `invalid_credentials`, `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `already_set_up`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.auth.logout": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.auth.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.list": {
        parameters: {
            query?: {
                /** @description A text that the filename, alternative text or title must contain. */
                q?: string;
                /** @description A category with its subcategories; empty for files without a category. */
                category?: string;
                /** @description The kind of file. */
                type?: "image" | "video" | "audio" | "document" | "archive" | "other";
                /** @description The visibility of the files. */
                visibility?: "public" | "private";
                /** @description Only files that no entry shows. */
                unused?: boolean;
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The sort key. */
                sort?: "uploaded_at" | "-uploaded_at" | "name" | "-name" | "size" | "-size";
                /** @description The direction of a key without `-`. */
                order?: "asc" | "desc";
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"][];
                        meta: components["schemas"]["MediaListMeta"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.upload": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["Upload"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"][];
                        meta: components["schemas"]["UploadMeta"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.bulk_category": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkCategory"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"][];
                        meta: components["schemas"]["UploadMeta"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.bulk_delete": {
        parameters: {
            query?: {
                /** @description Deletes nothing that an entry shows. */
                guard?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaBulkDelete"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaDeleted"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.bulk_visibility": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkVisibilityInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"][];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.create_category": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Category"];
                        meta: components["schemas"]["Categories"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.rename_category": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The path of a media category. */
                category: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryNameInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Category"];
                        meta: components["schemas"]["Categories"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.delete_category": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The path of a media category. */
                category: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                        meta: components["schemas"]["Categories"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.replace": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    media: string;
                };
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.delete": {
        parameters: {
            query?: {
                /** @description Deletes nothing that an entry shows. */
                guard?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.assign": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryOfFileInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                        meta: components["schemas"]["Categories"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.set_meta": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaMetaInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.rename": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaRename"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.list_revisions": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaRevision"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.show_revision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a media file. */
                filename: string;
                /** @description The id of a revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.restore_revision": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
                /** @description The id of a revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.show_revision_thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a media file. */
                filename: string;
                /** @description The id of a revision. */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.usages": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.media.set_visibility": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a media file. */
                filename: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisibilityInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MediaItem"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.openapi.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Information about the API. */
                        info: Record<string, unknown>;
                        /** @description The version of OpenAPI. */
                        openapi: string;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.events.presence": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Presence"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PresenceOthers"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tools.entry": {
        parameters: {
            query?: {
                /** @description The change that the update would be proposed in; the own pending one if left out. */
                change?: string;
                /** @description Relation fields to expand, separated by commas. Replaces each id by the entry, as this caller sees it, in the same locale. Dots go deeper (`author.company`), up to 5 levels. A name that is not a relation is ignored with a warning. */
                include?: string;
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. `de-AT` is answered in `de` if the type has no `de-AT`. A locale that the type does not have is ignored with a warning. */
                locale?: string;
                /** @description The fields of `data` to return, separated by commas. */
                fields?: string;
                /** @description `full` shows media items in the place of media URLs, in included entries too. A file that the caller may not see, or that is gone, is an object with its `url` alone. */
                media?: "full";
                /** @description `html` adds `data_html`: the HTML of the Markdown in `data`, in the same places, with ids of headings and with pictures in several sizes. It is harmless: scripts and the like are removed. Lists of up to 500 entries. */
                render?: "html";
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminEntryInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PreviewedEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tools.markdown": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkdownInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Html"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.problems.list": {
        parameters: {
            query?: {
                /** @description Only problems of this workspace, and of no workspace. */
                workspace?: string;
                /** @description Only problems of this kind. */
                kind?: string;
                /** @description Includes accepted problems. */
                accepted?: boolean;
                /** @description Reads every entry of the workspace again and validates its values. */
                deep?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Problem"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.problems.accept": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProblemAccept"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.problems.restore": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProblemRestored"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.set_avatar": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    avatar: string;
                };
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.remove_avatar": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.second_factor.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SecondFactor"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.second_factor.begin": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordProof"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SecondFactorSetup"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.second_factor.confirm": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryCodes"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.second_factor.renew_codes": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordProof"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecoveryCodes"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.second_factor.remove": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordProof"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.end_sessions": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.profile.end_session": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.roles.list": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The sort key; `-` in front reverses the order. */
                sort?: string;
                /** @description The direction of the order. */
                order?: "asc" | "desc";
                /** @description Words that must occur in names. */
                q?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.roles.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.roles.update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.roles.delete": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.samples.list": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Samples"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.samples.remove": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Samples"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.search.all": {
        parameters: {
            query?: {
                /** @description The text to search for. */
                q?: string;
                /** @description The maximum number of results of each kind; 10 by default, at most 50. */
                limit?: number;
                /** @description The number of results of each kind to skip; the first 1000 can be reached. */
                offset?: number;
                /** @description The kinds of results, of `entries`, `media` and `types`; all by default. */
                kinds?: string;
                /** @description The content types whose entries are searched. */
                types?: string;
                /** @description The statuses of the entries. */
                status?: string;
                /** @description The locale in which entries are searched. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Found"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.settings.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Settings"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.settings.change": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Settings"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.auth.setup": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Setup"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `invalid_credentials`, `unauthenticated`, `second_factor_required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `already_set_up`, `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_code` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.list": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The sort key; `-` in front reverses the order. */
                sort?: string;
                /** @description The direction of the order. */
                order?: "asc" | "desc";
                /** @description Words that must occur in names. */
                q?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedToken"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenChange"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Token"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.delete": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.tokens.rotate": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRotation"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedToken"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.trash.overview": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TrashOverview"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.trash.list": {
        parameters: {
            query?: {
                /** @description Words that must all occur in the entry's text. */
                q?: string;
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The locale of title and values, for localized types. A missing value falls back to the default locale, then to the value at the top of the file. A locale that the type does not have is ignored. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TrashedEntry"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.trash.empty": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Emptied"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.trash.purge": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.trash.restore": {
        parameters: {
            query?: {
                /** @description The locale of the answer; by default the locale of the body. */
                locale?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
                /** @description The id or the slug of an entry. */
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AdminEntry"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.updates.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpdateStatus"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `update_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.updates.check": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpdateStatus"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `update_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.updates.download": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpdateStatus"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `update_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.updates.install": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpdateStatus"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `update_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.list": {
        parameters: {
            query?: {
                /** @description The maximum number of items; without it, all are returned. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description The sort key; `-` in front reverses the order. */
                sort?: string;
                /** @description The direction of the order. */
                order?: "asc" | "desc";
                /** @description Words that must occur in names. */
                q?: string;
                /** @description The id of a role. */
                role?: string;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.delete": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.avatar": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.set_avatar": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    avatar: string;
                };
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.remove_avatar": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.users.reset_second_factor": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_password` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.views.show": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Views"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.views.save": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: {
                /** @description The change is made only if the resource has one of these entity tags. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of a content type. */
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsInput"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Views"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Precondition Failed: `precondition_failed` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.webhooks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhooks"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_webhook` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `webhook_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.webhooks.replace": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhooksReplace"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhooks"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_webhook` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `webhook_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.webhooks.redeliver": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_webhook` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `webhook_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.webhooks.deliveries": {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_webhook` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `webhook_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.webhooks.test": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `invalid_webhook` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Bad Gateway: `webhook_failed` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.list": {
        parameters: {
            query?: {
                /** @description Includes archived workspaces. */
                archived?: boolean;
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.create": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceCreate"];
            };
        };
        responses: {
            /** @description The created resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.update": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The slug of a workspace. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceUpdate"];
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.archive": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The slug of a workspace. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Done"];
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.icon": {
        parameters: {
            query?: {
                /** @description A value that changes with the picture. */
                v?: string;
            };
            header?: never;
            path: {
                /** @description The slug of a workspace. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                };
            };
            /** @description A range of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client already has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.set_icon": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The slug of a workspace. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    icon: string;
                };
            };
        };
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Request Timeout: `bad_request` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large: `payload_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type: `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed`, `upload_failed`, `file_too_large`, `file_type_not_allowed`, `invalid_image` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "admin.workspaces.remove_icon": {
        parameters: {
            query?: {
                /** @description Indents the answer. */
                pretty?: boolean;
            };
            header?: never;
            path: {
                /** @description The slug of a workspace. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta?: Record<string, unknown>;
                    };
                };
            };
            /** @description Bad Request: `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized: `unauthenticated` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden: `forbidden`, `second_factor_missing` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found: `not_found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict: `conflict` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Refused: `csrf_mismatch` */
            419: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity: `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests: `rate_limited` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error: `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable: `storage_unavailable`, `not_set_up` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient Storage: `insufficient_storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
