import { breakGlass } from './admin/break-glass'
import type { AdminCommand } from './admin/command'
import { removeFactors } from './admin/remove-factors'
import { resetLink } from './admin/reset-link'
import { resealCommand } from './admin/reseal'
import { verifyLogCommand } from './admin/verify-log'

/** `npm run admin -- COMMAND`, with the settings of `npm start` (`scripts/run-command.mjs` reads them). */
const commands: Readonly<Record<string, AdminCommand>> = {
  'reset-link': resetLink,
  'break-glass': breakGlass,
  'remove-factors': removeFactors,
  reseal: resealCommand,
  'verify-log': verifyLogCommand,
}

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
