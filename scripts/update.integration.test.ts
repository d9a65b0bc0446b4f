import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import packageJson from '../package.json'

const { version } = packageJson

/** An engine that notes what it is asked. Its instances of a version in `broken` never become ready. */
const ENGINE = `#!/bin/sh
echo "$(grep -c '' .env) \${INTAG_VERSION:-${version}} $*" >> asked
shift 3
echo "podman compose $*"
for last; do :; done
case "$*" in
  up*--no-deps*) echo "\${INTAG_VERSION:-${version}}" > "runs-$last" ;;
  stop*) rm -f "runs-$last" ;;
  'run '*) ! grep -q wrong broken ;;
  'exec -T intag node -p '*) cat runs-intag ;;
  *' node -e '*) grep -qxf "runs-$3" broken || echo ready ;;
  *' pg_dump '*) grep -q full broken || echo made ;;
esac
`

const newFolder = temporaryFolders()

/** An installation of release 0.0.1, with a line in `broken` for each thing that fails. */
function installation({ running = ['intag', 'intag-2'], broken = '' } = {}) {
  const folder = join(newFolder(), 'deploy')
  mkdirSync(folder)
  for (const name of ['update', 'compose.yaml']) cpSync(join('deploy', name), join(folder, name))
  writeFileSync(join(folder, 'docker'), ENGINE, { mode: 0o755 })
  writeFileSync(join(folder, 'broken'), broken)
  for (const name of ['../.env', 'tls.crt']) writeFileSync(join(folder, name), '')
  for (const name of running) writeFileSync(join(folder, `runs-${name}`), '0.0.1\n')
  const runs = (name: string) => {
    const file = join(folder, `runs-${name}`)
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'nothing'
  }
  const update = (args: string[] = [], settings: Record<string, string> = {}) => {
    writeFileSync(join(folder, 'asked'), '')
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, PATIENCE: '1', ...settings }
    const { status, stderr } = spawnSync(join(folder, 'update'), args, { env, encoding: 'utf8' })
    const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n').slice(0, -1)
    const steps = asked.map((line) => line.replace(/^\d+ /, '').replace(/(node -[ep]) .*/, '$1'))
    const all = steps.map((line) => line.replace(/\d{8}-\d{6}/, 'NOW'))
    return { status, said: stderr, steps: all, runs: [runs('intag'), runs('intag-2')] }
  }
  return { folder, update }
}

describe('deploy/update', () => {
  test('the first time makes a password of its own once, and starts what is needed', () => {
    const { folder, update } = installation({ running: [] })
    expect(update().status).toBe(0)
    const settings = readFileSync(join(folder, '.env'), 'utf8')
    expect(settings).toMatch(/^DATABASE_PASSWORD=[\da-f]{48}\nCOMPOSE_PROFILES=\n$/)
    expect(update(['two']).status).toBe(0)
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(settings.replace('PROFILES=', 'PROFILES=two'))
    expect(update().steps.some((line) => line.endsWith('intag-2'))).toBe(true)
  })

  test('looks at the settings, makes a backup, and replaces one after the other, each ready before the next', () => {
    const { status, steps, runs } = installation().update(['two'])
    expect([status, ...runs]).toEqual([0, version, version])
    const wanted = [
      'build intag',
      'up --detach --no-build database',
      'run -T --rm --no-deps intag check-settings',
      'exec -T intag node -p',
      `exec -T database sh -c umask 077 && pg_dump -U intag -Fc --no-unlogged-table-data -f "$0" intag && echo made /backups/before-${version}-NOW.dump`,
      'up --detach --no-deps --no-build --force-recreate intag',
      'exec -T intag node -e',
      'exec -T nginx nginx -s reload',
      'up --detach --no-deps --no-build --force-recreate intag-2',
      'exec -T intag-2 node -e',
      'exec -T nginx nginx -s reload',
      'up --detach --no-deps --no-build nginx',
    ]
    expect(steps).toEqual(wanted.map((step) => `${version} compose -f compose.yaml ${step}`))
  })

  test.each([
    ['does not become ready is the old one again', version, '0.0.1', /not become ready .*is 0\.0\.1 again\./s],
    ['neither version makes ready is stopped', `${version}\n0.0.1`, 'nothing', /The way back: .*\/before-/],
    ['has wrong settings is left alone', 'wrong', '0.0.1', /./],
    ['cannot be backed up is left alone', 'full', '0.0.1', /./],
  ])('what %s, and the next one is not touched', (_, broken, first, says) => {
    const { status, said, runs } = installation({ broken }).update(['two'])
    expect([status, ...runs]).toEqual([1, first, '0.0.1'])
    expect(said).toMatch(says)
  })

  test('asks for a missing certificate before it does anything', () => {
    const { folder, update } = installation()
    rmSync(join(folder, 'tls.crt'))
    expect(update(['two'])).toMatchObject({ status: 1, said: 'There is no certificate: deploy/tls.crt\n', steps: [] })
  })

  test('from two to one leaves no second that knows nothing of the first', () => {
    const { update } = installation()
    update(['two'])
    const { status, steps } = update(['one'])
    const at = (words: string) => steps.findIndex((line) => line.includes(words))
    expect(status).toBe(0)
    expect(at('stop nginx intag-2')).toBeGreaterThan(at('pg_dump'))
    expect(at('--force-recreate intag')).toBeGreaterThan(at('stop nginx'))
  })

  test('goes to a version that is named without building it, as on the way back', () => {
    const { status, steps, runs } = installation({ running: ['intag'] }).update([], { INTAG_VERSION: '0.0.9' })
    expect([status, runs[0]]).toEqual([0, '0.0.9'])
    expect(steps.filter((line) => / build/.test(line))).toEqual([])
  })
})
