import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** An empty database, made with the build, because making one takes two seconds of the first start. */
const newDatabase = (build) => join(build, 'new-database.gz')

/** Where it cannot be made, the first start makes its own. */
export async function makeNewDatabase(build) {
  const folder = join(build, 'new-database')
  mkdirSync(build, { recursive: true })
  const make = ['--conditions=react-server', '--import', 'tsx', 'scripts/make-database.ts', folder]
  const [status] = await once(spawn(process.execPath, make, { stdio: 'inherit' }), 'close')
  if (status === 0) writeFileSync(newDatabase(build), packed(join(folder, 'pg')))
  rmSync(folder, { recursive: true, force: true })
}

/** Unpacks it for PGlite, unless there is a database. The server itself reports what goes wrong. */
export function placeNewDatabase(dataDir, build) {
  const [made, place] = [newDatabase(build), join(dataDir, 'pg')]
  if (!existsSync(made) || existsSync(place)) return
  const copy = `${place}.${process.pid}`
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    unpack(readFileSync(made), copy)
    renameSync(copy, place)
  } catch {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** A line with paths and sizes (null: a folder), then the files, compressed: forty megabytes, mostly zeros. */
export function packed(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    return { path: relative(folder, path), bytes: entry.isDirectory() ? null : readFileSync(path) }
  })
  const list = JSON.stringify(entries.map(({ path, bytes }) => [path, bytes && bytes.length]))
  return gzipSync(Buffer.concat([Buffer.from(`${list}\n`), ...entries.flatMap(({ bytes }) => bytes ?? [])]))
}

function unpack(file, folder) {
  const all = gunzipSync(file)
  let at = all.indexOf('\n') + 1
  for (const [path, size] of JSON.parse(all.toString('utf8', 0, at))) {
    const to = join(folder, path)
    mkdirSync(size === null ? to : dirname(to), { recursive: true, mode: 0o700 })
    if (size !== null) writeFileSync(to, all.subarray(at, (at += size)), { mode: 0o600 })
  }
}
