import { globSync, readFileSync } from 'node:fs'
import { endpoints } from '@/lib/contract/endpoints'

export type Route = { name: string; file: string; method: string; path: string }

const ENDINGS = '{ts,tsx,js,jsx}'
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

let listed: Promise<Route[]> | undefined
export const listRoutes = () => (listed ??= findRoutes())

/** Finds every endpoint that a file declares by its own path, every other method, and every page. */
async function findRoutes(): Promise<Route[]> {
  const routes = globSync(`app/**/route.${ENDINGS}`).map(async (file) => {
    const handlers = await importModule(file)
    const path = toRoutePath(file)
    const isDeclared = readFileSync(file, 'utf8').includes(`serve('${path}', {`)
    const methods = METHODS.filter((method) => (isDeclared ? `${method} ${path}` in endpoints : method in handlers))
    return methods.map((method) => ({ name: `${method} ${path}`, file, method, path }))
  })
  const pages = globSync(`app/**/page.${ENDINGS}`).map((file) => {
    const path = toRoutePath(file)
    return { name: `PAGE ${path}`, file, method: 'PAGE', path }
  })
  return [...(await Promise.all(routes)).flat(), ...pages]
}

function toRoutePath(file: string): string {
  const folders = file.split('/').slice(1, -1)
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join('/')}`
}

export async function importModule(file: string): Promise<Record<string, unknown>> {
  return import(/* @vite-ignore */ `${process.cwd()}/${file}`)
}

/** Lists other files by which Next would answer: older folders, generated pictures and lists, server actions. */
export function listOtherEntries(): string[] {
  const generated = '{robots,sitemap,manifest,icon,apple-icon,favicon,opengraph-image,twitter-image}'
  const serverActions = globSync('{app,components,lib,server}/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  )
  const others = [`{pages,src}/**/*.${ENDINGS}`, `app/**/${generated}*.${ENDINGS}`, `middleware.${ENDINGS}`]
  return [...globSync(others), ...serverActions]
}
