import 'server-only'
import { FolderInUseError } from '@/server/base/data-folder'
import { keyId } from '@/server/base/seal'
import { startedServices } from './services'
import { refuseOtherDatabase } from './database-identity'
import { type AdminCommand, nameOf } from './command'
import { askRunning, type Ended, NobodyAnswersError } from './socket'

type Identity = ReturnType<typeof identityHere>

function identityHere() {
  const { env, dataKeys } = startedServices()
  return { mode: env.mode, key: idOf(dataKeys.current) }
}

/** For the console of another process alone. */
export const identityCommand: AdminCommand = {
  usage: 'identity',
  says: 'mode and key of the Intag that runs',
  run: async () => JSON.stringify(identityHere()),
}

/** Runs a command here or, where Intag has PGlite open, there. */
export async function runWherever(command: AdminCommand, args: readonly string[], called = ''): Promise<Ended> {
  return command
    .run(args)
    .then((out): Ended => ({ code: 0, out, err: '' }))
    .catch((failure: unknown) => byRunning(failure, { ...command, args: [nameOf(command), ...args], called }))
}

type Asked = { args: readonly string[]; called?: string; isAlone?: true }

/**
 * What failed because Intag has PGlite open, Intag runs, unless it was started with other settings. Throws any other failure,
 * or says what to do.
 */
export async function byRunning(failure: unknown, { args, called, isAlone }: Asked): Promise<Ended> {
  if (!(failure instanceof FolderInUseError)) throw failure
  try {
    if (isAlone) throw new NobodyAnswersError()
    const { env, dataKeys } = startedServices()
    const { code, out, err } = await askRunning(env.dataDir, ['identity'])
    if (code !== 0) throw new Error(err)
    const running = JSON.parse(out) as Identity
    refuseOtherDatabase(running, { env, dataKeys })
    if (running.key === idOf(dataKeys.current)) return await askRunning(env.dataDir, args, called)
  } catch (other) {
    if (!(other instanceof NobodyAnswersError)) throw other
    throw new Error(`${failure.message} Stop Intag, run this, and start it again.`, { cause: other })
  }
  throw new Error('Intag runs with another DATA_KEY than these settings: start it again with them first.')
}

function idOf(key: Uint8Array): string {
  return keyId(key).toString('base64url')
}
