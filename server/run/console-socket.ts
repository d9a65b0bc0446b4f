import 'server-only'
import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { keyId } from '@/server/base/seal'
import type { Services } from '@/server/base/services'

/** The exit code, what is printed, and for a backup the bytes of its file. */
export type Answer = { code: number; text: string; file?: Buffer }

const questionSchema = z.object({ args: z.array(z.string()).readonly(), called: z.string(), key: z.string() })
const answerSchema = z.object({ code: z.number(), text: z.string() })
type Question = z.infer<typeof questionSchema>

const pathIn = (dataDir: string) => join(dataDir, 'console.sock')

/**
 * One process alone can open PGlite, so it runs the console's commands: by a socket of its owner (0600, in a folder of 0700).
 * The request is a line of JSON, and so is the answer, which a backup's bytes follow.
 */
export function openConsole(
  { env, dataKeys, logger }: Services,
  run: (args: readonly string[], called: string) => Promise<Answer>,
): Server | null {
  if (env.databaseUrl !== null) return null
  const path = pathIn(env.dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const answer = async (text: string): Promise<void> => {
      const { args, called, key } = questionSchema.parse(JSON.parse(text))
      const found: Answer =
        key === keyId(dataKeys.current).toString('base64url')
          ? await run(args, called)
          : { code: 1, text: 'Intag runs with another DATA_KEY than these settings: start it again with them first.' }
      socket.write(`${JSON.stringify({ code: found.code, text: found.text })}\n`)
      socket.end(found.file ?? '')
    }
    // Iterating over the socket would destroy it at its end, before the answer is written.
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => {}).on('end', () => void answer(text).catch(() => socket.destroy()))
  })
  server.on('error', (err) => logger.warn({ err }, 'the console’s commands need Intag stopped'))
  // This process holds the folder's lock, so a socket that lies there is a dead process's.
  rmSync(path, { force: true })
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

/** Null while nobody answers: it starts, or is of another release. */
export async function askRunning(dataDir: string, question: Question): Promise<Answer | null> {
  const socket = createConnection(pathIn(dataDir)).end(JSON.stringify(question))
  const bytes = await buffer(socket).catch(() => Buffer.alloc(0))
  const end = bytes.indexOf('\n')
  if (end === -1) return null
  const answer = answerSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  return end + 1 < bytes.length ? { ...answer, file: bytes.subarray(end + 1) } : answer
}
