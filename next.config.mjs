import createNextIntlPlugin from 'next-intl/plugin'

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Messages come precompiled (lib/i18n/compile-messages.ts), so the browser needs no parser for them.
  turbopack: { resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  experimental: { useTypeScriptCli: true, staticGenerationRetryCount: 3 },
  serverExternalPackages: ['@electric-sql/pglite', '@node-rs/argon2', 'pg', 'pino', 'prom-client', 'ioredis'],
}

export default createNextIntlPlugin('./app/i18n-request.ts')(config)
