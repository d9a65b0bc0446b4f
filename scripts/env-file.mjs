import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The settings of a file beside the code, where there is one; what the environment has already wins. */
export function loadEnvFile(path = '.env') {
  if (!existsSync(path)) return
  if (process.loadEnvFile) return void process.loadEnvFile(path)
  // Before Node 20.12 only a process that begins can read one.
  const read = [`--env-file=${path}`, '--print', 'JSON.stringify(process.env)']
  Object.assign(process.env, JSON.parse(spawnSync(process.execPath, read, { encoding: 'utf8' }).stdout))
}
