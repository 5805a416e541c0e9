-- The tables of Recto, in a schema of their own. Statements are separated by semicolons at the end
-- of a line; this file is one migration, version 1.

CREATE TABLE recto.info (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL DEFAULT gen_random_uuid()::text,
    version integer NOT NULL,
    touched timestamptz
);

-- The files of the data folder. Content of a mebibyte and more is in recto.blob.
CREATE TABLE recto.file (
    path text COLLATE "C" PRIMARY KEY,
    bytes bytea,
    blob bytea,
    size bigint NOT NULL,
    sum bigint,
    modified_ns bigint NOT NULL,
    position bigint NOT NULL,
    CHECK ((bytes IS NULL) <> (blob IS NULL))
);
-- Contents of a few kilobytes stay in their row: beside it, each costs two more look-ups.
ALTER TABLE recto.file SET (toast_tuple_target = 8160);

-- Large content in parts of a mebibyte, by its SHA-256.
CREATE TABLE recto.blob (
    id bytea NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, part)
);
ALTER TABLE recto.blob ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What was committed, in order.
CREATE SEQUENCE recto.position;
CREATE TABLE recto.log (
    position bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    node text NOT NULL,
    is_edit boolean NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    paths text[] NOT NULL,
    folders text[] NOT NULL,
    events text NOT NULL
);

-- Waits for the turn among all servers, and returns the log from the commit on that is known. The
-- server that has the turn and says nothing for a while loses it with its connection.
CREATE FUNCTION recto.begin_turn(seen bigint) RETURNS SETOF recto.log LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_lock(7379284, 1);
    PERFORM set_config('idle_session_timeout', '10000', false);
    RETURN QUERY SELECT * FROM recto.log l WHERE l.position >= seen ORDER BY l.position;
END $$;

CREATE FUNCTION recto.end_turn() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('idle_session_timeout', '0', false);
    PERFORM pg_advisory_unlock(7379284, 1);
END $$;

-- Makes a change. Called by whoever has the turn, so positions are in the order of commits; a server
-- that has lost its turn is refused.
CREATE FUNCTION recto.commit(
    new_id text, new_node text, last bigint, created text[], removed text[], new_folders text[],
    new_events text, paths text[], contents bytea[], blobs bytea[], sizes bigint[], sums bigint[],
    times bigint[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    taken text;
    at bigint;
BEGIN
    PERFORM set_config('recto.is_commit', 'on', true);
    -- Whoever has the turn gets this at once, and anybody else only after the turn.
    PERFORM pg_advisory_xact_lock(7379284, 1);
    IF (SELECT coalesce(max(l.position), 0) FROM recto.log l) <> last THEN
        RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'the turn was lost';
    END IF;
    SELECT f.path INTO taken FROM recto.file f WHERE f.path = ANY (created) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'unique_violation', MESSAGE = taken;
    END IF;
    at := nextval('recto.position');
    DELETE FROM recto.file f WHERE f.path = ANY (removed);
    INSERT INTO recto.file (path, bytes, blob, size, sum, modified_ns, position)
        SELECT u.path, u.bytes, u.blob, u.size, u.sum, u.modified_ns, at
        FROM unnest(paths, contents, blobs, sizes, sums, times)
            AS u (path, bytes, blob, size, sum, modified_ns)
        ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, blob = excluded.blob,
            size = excluded.size, sum = excluded.sum, modified_ns = excluded.modified_ns,
            position = excluded.position;
    INSERT INTO recto.log (position, id, node, is_edit, paths, folders, events)
        VALUES (at, new_id, new_node, false, removed || paths, new_folders, new_events);
    PERFORM pg_notify('recto', at::text);
    RETURN at;
END $$;

-- Whoever changes files with SQL takes the turn as well, and leaves a line in the log.
CREATE FUNCTION recto.prepare_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('recto.is_commit', true) = 'on' THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    PERFORM pg_advisory_xact_lock(7379284, 1);
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    NEW.sum := NULL;
    NEW.size := coalesce(length(NEW.bytes), NEW.size);
    NEW.modified_ns := (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint;
    RETURN NEW;
END $$;
CREATE TRIGGER prepare_edit BEFORE INSERT OR UPDATE OR DELETE ON recto.file
    FOR EACH ROW EXECUTE FUNCTION recto.prepare_edit();

CREATE FUNCTION recto.log_edit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    at bigint;
    changed text[];
BEGIN
    IF current_setting('recto.is_commit', true) = 'on' THEN
        RETURN NULL;
    END IF;
    changed := CASE TG_OP
        WHEN 'DELETE' THEN ARRAY[OLD.path]
        WHEN 'INSERT' THEN ARRAY[NEW.path]
        ELSE CASE WHEN OLD.path = NEW.path THEN ARRAY[NEW.path] ELSE ARRAY[OLD.path, NEW.path] END
    END;
    at := nextval('recto.position');
    INSERT INTO recto.log (position, id, node, is_edit, paths, folders, events)
        VALUES (at, gen_random_uuid()::text, '', true, changed, ARRAY[]::text[], '');
    PERFORM pg_notify('recto', at::text);
    RETURN NULL;
END $$;
CREATE TRIGGER log_edit AFTER INSERT OR UPDATE OR DELETE ON recto.file
    FOR EACH ROW EXECUTE FUNCTION recto.log_edit();

INSERT INTO recto.info (version) VALUES (1);
