import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'

const SOURCES = ['app', 'lib', 'reference-service', 'tsconfig.json']

/** A folder to start the commands in, as a build has them or as a fresh clone has them; anybody may read it. */
export function installed(folder: string, { isBuilt }: { isBuilt: boolean }): string {
  fs.cpSync('scripts', join(folder, 'scripts'), { recursive: true })
  for (const name of ['node_modules', 'server', 'package.json', ...(isBuilt ? [] : SOURCES)])
    fs.symlinkSync(resolve(name), join(folder, name))
  if (!isBuilt) return folder
  const commands = spawnSync(process.execPath, ['scripts/bundle-commands.mjs', join(folder, '.next/built')])
  expect(String(commands.stderr)).toBe('')
  fs.writeFileSync(join(folder, '.next/built/whole'), '')
  fs.writeFileSync(join(folder, '.next/only-build'), '.next/built')
  return folder
}
