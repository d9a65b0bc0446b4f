import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A database without a row, made with the build: making one takes two seconds, which the first start then has not to wait. */
const newDatabase = (build) => join(build, 'new-database')

/** Where it cannot be made, the first start makes its own. */
export function makeNewDatabase(build) {
  const folder = newDatabase(build)
  rmSync(folder, { recursive: true, force: true })
  const make = ['--conditions=react-server', '--import', 'tsx', 'scripts/make-database.ts', folder]
  const { status } = spawnSync(process.execPath, make, { stdio: 'inherit' })
  if (status !== 0) rmSync(folder, { recursive: true, force: true })
}

/** Copies it to where PGlite has its files, unless there are some. What goes wrong is the server's to tell. */
export function placeNewDatabase(dataDir, build) {
  const [made, place] = [join(newDatabase(build), 'pg'), join(dataDir, 'pg')]
  if (!existsSync(made) || existsSync(place)) return
  // Under another name, so that a copy that was cut short is never taken for a database.
  const copy = `${place}.${process.pid}`
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    cpSync(made, copy, { recursive: true })
    renameSync(copy, place)
  } catch {
    rmSync(copy, { recursive: true, force: true })
  }
}
