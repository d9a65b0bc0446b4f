import { defineConfig } from 'drizzle-kit'

// NODE_OPTIONS=--conditions=react-server npx drizzle-kit generate: the schema is a server-only file.
export default defineConfig({ dialect: 'postgresql', schema: './server/db/schema.ts', out: './server/db/migrations' })
