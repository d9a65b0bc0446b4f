import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import packageJson from '../package.json'

const { version } = packageJson

/** An engine that notes what it is asked, and whose instances of a version in `broken` never become ready. Only `run` ends as its command does. */
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

function installation(broken = '') {
  const folder = join(newFolder(), 'deploy')
  mkdirSync(folder)
  for (const name of ['update', 'compose.yaml']) cpSync(join('deploy', name), join(folder, name))
  writeFileSync(join(folder, 'docker'), ENGINE, { mode: 0o755 })
  writeFileSync(join(folder, 'broken'), broken)
  for (const name of ['../.env', 'tls.crt']) writeFileSync(join(folder, name), '')
  const update = (args: string[] = [], settings: Record<string, string> = {}) => {
    writeFileSync(join(folder, 'asked'), '')
    const env = { PATH: `${folder}:${process.env.PATH}`, PATIENCE: '1', ...settings }
    const { status, stderr } = spawnSync(join(folder, 'update'), args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n').slice(0, -1)
    const steps = asked.map((line) => line.replace(/^\d+ /, '').replace(/(node -[ep]) .*/, '$1'))
    return { status, said: stderr, steps: steps.map((line) => line.replace(/\d{8}-\d{6}/, 'NOW')) }
  }
  const runs = (running: string, ...services: string[]) => {
    for (const name of services) writeFileSync(join(folder, `runs-${name}`), `${running}\n`)
  }
  const runningIn = (name: string) => readFileSync(join(folder, `runs-${name}`), 'utf8').trim()
  return { folder, update, runs, runningIn }
}

const stepsOf = (at: string, lines: string[]) => lines.map((line) => `${at} compose -f compose.yaml ${line}`)

describe('deploy/update', () => {
  test('the first time makes a password of its own once, and starts what is needed', () => {
    const { folder, update, runs } = installation()
    expect(update().status).toBe(0)
    const settings = readFileSync(join(folder, '.env'), 'utf8')
    expect(settings).toMatch(/^DATABASE_PASSWORD=[\da-f]{48}\nCOMPOSE_PROFILES=\n$/)
    runs('0.0.1', 'intag')
    expect(update(['two']).status).toBe(0)
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(settings.replace('PROFILES=', 'PROFILES=two'))
    expect(update().steps.some((line) => line.endsWith('intag-2'))).toBe(true)
  })

  test('looks at the settings, makes a backup, and replaces one after the other, each ready before the next', () => {
    const { update, runs, runningIn } = installation()
    runs('0.0.1', 'intag', 'intag-2')
    const { status, steps } = update(['two'])
    expect([status, runningIn('intag'), runningIn('intag-2')]).toEqual([0, version, version])
    expect(steps).toEqual(
      stepsOf(version, [
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
      ]),
    )
  })

  test('stops at the first that is not ready, makes it the old one again, and leaves the next alone', () => {
    const { update, runs, runningIn } = installation(version)
    runs('0.0.1', 'intag', 'intag-2')
    const { status, said } = update(['two'])
    expect([status, runningIn('intag'), runningIn('intag-2')]).toEqual([1, '0.0.1', '0.0.1'])
    expect(said).toContain(`intag did not become ready with ${version}`)
    expect(said).toContain('intag is 0.0.1 again.')
  })

  test('stops what neither version makes ready, so that nobody is sent there', () => {
    const { update, runs, runningIn } = installation(`${version}\n0.0.1`)
    runs('0.0.1', 'intag', 'intag-2')
    const { status, said } = update(['two'])
    expect([status, runningIn('intag-2')]).toEqual([1, '0.0.1'])
    expect(() => runningIn('intag')).toThrow('ENOENT')
    expect(said).toMatch(/intag is stopped\. The way back: docs\/run\.md, Update, with \/backups\/before-/)
  })

  test.each(['wrong', 'full'])('replaces nothing where settings are %s, or the place for backups', (fault) => {
    const { update, runs, runningIn } = installation(fault)
    runs('0.0.1', 'intag')
    expect([update().status, runningIn('intag')]).toEqual([1, '0.0.1'])
  })

  test('asks for what is missing before it does anything', () => {
    const { folder, update } = installation()
    rmSync(join(folder, 'tls.crt'))
    expect(update(['two'])).toMatchObject({ status: 1, said: 'There is no certificate: deploy/tls.crt\n', steps: [] })
    rmSync(join(folder, '../.env'))
    expect(update()).toMatchObject({
      status: 1,
      said: 'There are no settings: npm run setup -- --no-admin\n',
      steps: [],
    })
  })

  test('from two to one leaves no second that knows nothing of the first', () => {
    const { update, runs } = installation()
    runs('0.0.1', 'intag', 'intag-2')
    update(['two'])
    const { status, steps } = update(['one'])
    const at = (words: string) => steps.findIndex((line) => line.includes(words))
    expect(status).toBe(0)
    expect(at('stop nginx intag-2')).toBeGreaterThan(at('pg_dump'))
    expect(at('--force-recreate intag')).toBeGreaterThan(at('stop nginx'))
  })

  test('goes to a version that is named without building it, as on the way back', () => {
    const { update, runs, runningIn } = installation()
    runs(version, 'intag')
    const { status, steps } = update([], { INTAG_VERSION: '0.0.1' })
    expect([status, runningIn('intag')]).toEqual([0, '0.0.1'])
    expect(steps.filter((line) => / build/.test(line))).toEqual([])
  })
})
