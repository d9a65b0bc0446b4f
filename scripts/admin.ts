import { existsSync } from 'node:fs'
import { breakGlass } from './admin/break-glass'
import { removeFactors } from './admin/remove-factors'
import { resetLink } from './admin/reset-link'
import { resealCommand } from './admin/reseal'
import { verifyLogCommand } from './admin/verify-log'

/** What somebody at the server's own console may do: `npm run admin -- COMMAND`. Settings are those of `npm start`. */
export type AdminCommand = {
  /** One line, with the arguments it takes. */
  usage: string
  /** Answers what is printed; an error's message is printed, too, and the process ends with 1. */
  run: (args: readonly string[]) => Promise<string>
}

const commands: Readonly<Record<string, AdminCommand>> = {
  'reset-link': resetLink,
  'break-glass': breakGlass,
  'remove-factors': removeFactors,
  reseal: resealCommand,
  'verify-log': {
    usage: 'verify-log [--head HASH]  checks the activity log against its chain of seals',
    run: verifyLogCommand,
  },
}

if (existsSync('.env')) process.loadEnvFile('.env')
const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
try {
  process.stdout.write(`${command === undefined ? help() : await command.run(args)}\n`)
  process.exit(command === undefined ? 1 : 0)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function help(): string {
  return ['npm run admin -- COMMAND', ...Object.values(commands).map(({ usage }) => `  ${usage}`)].join('\n')
}
