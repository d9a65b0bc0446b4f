import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/base/schema.ts', './server/base/access-schema.ts', './server/base/sharing-schema.ts'],
  out: './server/base/migrations',
})
