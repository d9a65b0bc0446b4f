import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { listen } from '@/reference-service/http-server'
import { SETTINGS } from '@/server/base/settings-schema'
import { placePglite } from '@/server/base/testing/in-memory'
import { withPostgres } from '@/server/base/testing/on-each-database'
import { temporaryFolder } from '@/server/testing/folder'
import { admin, installInto, runIn } from './testing/installed'

// What documents tell people to type works: each command exists, and the operators' ways with npm are run as written.

const documents = ['README.md', 'CONTRIBUTING.md', 'reference-service/README.md'].concat(
  fs.readdirSync('docs').map((name) => join('docs', name)),
)
const packageJson = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const blocks = documents.flatMap((document) =>
  [...fs.readFileSync(document, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => ({
    document,
    script,
  })),
)

/** The commands between `&&`, `|`, `;` and line ends, without comments, here-documents and variables. */
function listCommands(script: string): string[] {
  return script
    .replaceAll(/<<'END'.*?^END$/gms, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/gs, (quoted) => quoted.replaceAll(/[&|;#\s]/g, '_'))
    .replaceAll(/(^|\s)#.*$/gm, '')
    .split(/&&|\||;|\n/)
    .map((command) => command.trim().replace(/^(?:[A-Z_0-9]+=\S* +)+/, ''))
    .filter((command) => command !== '')
}

describe('each command of a document exists', () => {
  const help = runIn('.', admin('help'), {}).text
  const settings = new Set(SETTINGS.map(({ name }) => name))
  const findFault = (command: string): string | null => {
    const [program = '', ...words] = command.split(/\s+/)
    if (program === 'npm' && words[0] === 'run') {
      const [, script = '', separator, ...args] = words
      if (!(script in packageJson.scripts)) return 'no script of package.json'
      return separator === '--' ? findArgumentFault(script, args) : null
    }
    return program.startsWith('deploy/') && !fs.existsSync(program) ? 'no file' : null
  }
  const findArgumentFault = (script: string, args: string[]): string | null => {
    if (script === 'admin') return new RegExp(`^ *${args[0]}( |$)`, 'm').test(help) ? null : 'no command of the console'
    const named = script === 'setup' ? args.flatMap((arg) => /^[A-Z_]+(?==|$)/.exec(arg) ?? []) : []
    const unknown = named.filter((name) => name !== 'NAME' && !settings.has(name))
    return unknown.length > 0 ? `no setting ${unknown.join(', ')}` : null
  }

  test.each(documents)('%s', (document) => {
    const inText = [...fs.readFileSync(document, 'utf8').matchAll(/`((?:npm|node|deploy\/\w+) [^`]+)`/g)]
    const scripts = blocks.filter((block) => block.document === document).map(({ script }) => script)
    for (const script of scripts) expect(spawnSync('bash', ['-n'], { input: script }).stderr.toString()).toBe('')
    const commands = [...scripts, ...inText.map(([, command = '']) => command)].flatMap(listCommands)
    expect(commands.map((command) => [command, findFault(command)]).filter(([, fault]) => fault !== null)).toEqual([])
  })
})

withPostgres('the operators’ ways with npm', (open) => {
  const above = temporaryFolder()
  const code = join(above, 'code')
  let serviceUrl = ''
  beforeAll(async () => {
    installInto(code)
    fs.cpSync('deploy', join(code, 'deploy'), { recursive: true })
    // npm installs, builds, starts and tests where this test runs; here it runs the scripts of package.json.
    fs.mkdirSync(join(above, 'bin'))
    fs.writeFileSync(
      join(above, 'bin/npm'),
      `#!/bin/sh\n[ "$1" = run ] || exit 0\nPATH=\${PATH#*:}; exec npm --silent "$@"\n`,
      { mode: 0o755 },
    )
    fs.mkdirSync(join(above, 'backups'))
    const highSchools = [{ id: 's1', name: 'Norra gymnasiet' }]
    const { port, close } = await listen(async () => Response.json({ highSchools }), 0)
    serviceUrl = `http://127.0.0.1:${port}`
    return close
  })

  /** Runs the lines that hold `words`, in the folder, with the examples of the documents replaced by this machine's. */
  async function runLines(document: string, words: RegExp, env: Record<string, string> = {}, input = '') {
    const lines = blocks.filter((block) => block.document === document).flatMap(({ script }) => script.split('\n'))
    const found = lines.filter((line) => words.test(line))
    expect(found).not.toEqual([])
    const script = found
      .join('\n')
      .replaceAll('https://service.example/prefix', serviceUrl)
      .replaceAll('/backups', join(above, 'backups'))
      .replaceAll(/\/secrets|\/etc\/intag|\/var\/lib/g, above)
      .replaceAll(/intag\.(backup|dump)/g, join(above, 'intag.$1'))
    const child = spawn('bash', ['--norc', '-ec', script], {
      cwd: code,
      env: { HOME: above, PATH: `${join(above, 'bin')}:${process.env.PATH}`, NODE_ENV: 'production', ...env },
    })
    child.stdin.end(input)
    const [text, trouble, [status]] = await Promise.all([
      readText(child.stdout),
      readText(child.stderr),
      once(child, 'close'),
    ])
    expect([status, status === 0 ? '' : `${text}${trouble}`], script).toEqual([0, ''])
    return text + trouble
  }

  test('install, back up and restore, also from PGlite', { timeout: 120_000 }, async () => {
    await placePglite(join(code, '.data'))
    fs.writeFileSync(join(code, 'token'), 'a-token\n')
    const install = 'docs/install.md'
    expect(await runLines(install, /< token$/)).toMatch(/https:\/\/intag\.example\/invite#/)

    const backUp = 'docs/back-up.md'
    await runLines(backUp, /# PGlite, also while/)
    const [backup = ''] = fs.readdirSync(join(above, 'backups'))
    fs.renameSync(join(above, 'backups', backup), join(above, 'intag.backup'))
    fs.renameSync(join(code, '.env'), join(above, '.env'))
    fs.rmSync(join(code, '.data'), { recursive: true })
    expect(await runLines(backUp, /cp \/secrets|# PGlite, while/)).toContain('The backup is restored')
    await runLines(backUp, /node --input-type|await db\.query/)

    const database = await open()
    await database.close()
    const env = { DATABASE_URL: database.url }
    await runLines(install, /DATABASE_URL$/, {}, `${database.url}\n`)
    expect(await runLines(install, /-- doctor/)).toContain('database')
    fs.copyFileSync(join(code, '.env'), join(above, 'intag.env'))
    expect(await runLines(install, /^DATA_DIR=.*add-admin/)).toContain('https://intag.example/invite#')
    await runLines(backUp, /^pg_dump/, env)
    const dump = fs.readdirSync(code).find((name) => name.endsWith('.dump')) ?? ''
    fs.renameSync(join(code, dump), join(above, 'intag.dump'))
    await runLines(backUp, /^pg_restore/, env)
    await runLines(backUp, /^psql/, env)
  })
})
