import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'

/** Installs the scripts into a folder, with a bundled build of the commands. */
export function installInto(folder: string) {
  fs.cpSync('scripts', join(folder, 'scripts'), { recursive: true })
  for (const name of ['node_modules', 'server', 'package.json']) fs.symlinkSync(resolve(name), join(folder, name))
  const commands = spawnSync(process.execPath, ['scripts/bundle-commands.mjs', join(folder, '.next/standalone')])
  expect(String(commands.stderr)).toBe('')
  fs.writeFileSync(join(folder, '.next/standalone/stamp'), '')
}

export function runIn(folder: string, args: string[], settings: Record<string, string> = {}, options: object = {}) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '1', ...settings } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    ...options,
  })
  return { status, text: `${stdout}${stderr}` }
}

export const admin = (...args: string[]) => ['scripts/run-command.mjs', 'admin', ...args]
