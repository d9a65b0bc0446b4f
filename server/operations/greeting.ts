import 'server-only'
import type { Env } from '@/server/env'
import { demoAccounts } from '@/server/users/first-users'

const ROLES = {
  staff: 'admissions staff of two schools',
  manager: 'manager: the numbers of all schools',
  admin: 'administrator',
} as const

export function greeting(env: Pick<Env, 'mode' | 'auth' | 'upstream'>): string {
  return framed(env.mode === 'demo' ? ofDemo(env.auth.url) : ofService(env))
}

function ofDemo(address: string): string[] {
  const accounts = demoAccounts([]).map(({ email, role }) => `${email.padEnd(20)}${ROLES[role]}`)
  return [
    'Intag is up, as a demo: the pupils and their leads are invented.',
    '',
    ...under('Open', [address]),
    ...under('Sign in', [...accounts, 'all with the password demo']),
    ...under('Stop', ['Ctrl+C']),
    '',
    'To connect your own service: put LEADS_API_URL and LEADS_API_TOKEN into .env;',
    'README.md, “Connected to the real service”, has the four lines.',
  ]
}

function ofService({ auth, upstream }: Pick<Env, 'auth' | 'upstream'>): string[] {
  return [
    'Intag is up.',
    '',
    ...under('Open', [auth.url]),
    ...under('Leads', [`from ${new URL(upstream?.url ?? auth.url).host}`]),
    ...under('Check', ['npm run admin -- doctor']),
    ...under('Stop', ['Ctrl+C']),
  ]
}

function under(name: string, lines: readonly string[]): string[] {
  return lines.map((line, at) => `${(at === 0 ? name : '').padEnd(10)}${line}`)
}

function framed(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length))
  const edge = '─'.repeat(width + 4)
  return [`┌${edge}┐`, ...lines.map((line) => `│  ${line.padEnd(width)}  │`), `└${edge}┘`, ''].join('\n')
}
