import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import createNextIntlPlugin from 'next-intl/plugin'

// Set by `scripts/build.mjs` and `scripts/start.mjs`; without it, as in `next dev`, Next's own folder is used.
const build = process.env.INTAG_BUILD

/** @type {import('next').NextConfig} */
const config = {
  ...(build && {
    distDir: build,
    // Of the same sources it is the same on every machine, so that several behind one balancer are one app to a browser.
    generateBuildId: () => basename(build),
    // Types are the tests' to check.
    typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
  }),
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // There are no pictures to be made smaller; the route that would is work for strangers.
  images: { unoptimized: true },
  experimental: {
    // A build is made once for its sources, so that no cache is read again; maps of the server's code are sent to nobody.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    serverSourceMaps: false,
    staticGenerationRetryCount: 3,
    // Fewer and larger files (of uncompressed bytes): together they compress better, by 5 kB for the inbox, and the few that
    // differ between screens cost all screens a twentieth more.
    turbopackChunking: { minChunkSize: 600_000, maxMergeChunkSize: 600_000 },
  },
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    '@opentelemetry/api',
    '@opentelemetry/context-async-hooks',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    'fs-native-extensions',
    'ioredis',
    'nodemailer',
    'pg',
    'pino',
    'prom-client',
  ],
}

const messages = './lib/i18n/messages'

export default createNextIntlPlugin({
  requestConfig: './app/i18n-request.ts',
  experimental: {
    // Messages are compiled while building, so the browser needs no parser for them.
    messages: { path: messages, format: 'json', precompile: true, locales: ['sv', 'en'] },
    // The Swedish ones as types (`*.d.json.ts`), so that TypeScript knows the arguments of each.
    createMessagesDeclaration: readdirSync(`${messages}/sv`)
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${messages}/sv/${name}`),
  },
})(config)
