import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'

const SOURCES = ['app', 'lib', 'reference-service', 'tsconfig.json']

/** Installs the scripts and commands into a folder, with the sources or with a bundled build. */
export function installed(folder: string, { isBuilt }: { isBuilt: boolean }): string {
  fs.cpSync('scripts', join(folder, 'scripts'), { recursive: true })
  for (const name of ['node_modules', 'server', 'package.json', ...(isBuilt ? [] : SOURCES)])
    fs.symlinkSync(resolve(name), join(folder, name))
  if (!isBuilt) return folder
  const commands = spawnSync(process.execPath, ['scripts/bundle-commands.mjs', join(folder, '.next/standalone')])
  expect(String(commands.stderr)).toBe('')
  fs.writeFileSync(join(folder, '.next/standalone/stamp'), '')
  return folder
}

export function runIn(folder: string, args: string[], settings: Record<string, string>, user: object = {}) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '1', ...settings } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8', ...user })
  return { status, text: `${stdout}${stderr}` }
}

export const admin = (...args: string[]) => ['scripts/run-command.mjs', 'admin', ...args]
