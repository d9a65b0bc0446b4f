import 'server-only'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

// Tests of settings empty the environment.
const server = process.env.TEST_DATABASE_URL

export type OwnDatabase = { name: string; url: string; drop: () => Promise<void> }

/** A new database on the server of TEST_DATABASE_URL, empty or as the one named is. */
export async function createOwnDatabase(template?: string): Promise<OwnDatabase> {
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set.')
  const name = `intag_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const own = new URL(server)
  own.pathname = `/${name}`
  return { name, url: own.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
