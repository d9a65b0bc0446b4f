import { globSync, readFileSync } from 'node:fs'
import { endpoints } from '@/lib/contract/endpoints'

export type Route = { name: string; file: string; method: string; path: string }

const EXTENSIONS = '{ts,tsx,js,jsx}'
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

let routes: Promise<Route[]> | undefined
export const listRoutes = () => (routes ??= findRoutes())

/** Finds the endpoints of each file that serves its own path, the exported methods of the others, and every page. */
async function findRoutes(): Promise<Route[]> {
  const endpointRoutes = globSync(`app/**/route.${EXTENSIONS}`).map(async (file) => {
    const handlers = await importModule(file)
    const path = toRoutePath(file)
    const isDeclared = readFileSync(file, 'utf8').includes(`serve('${path}', {`)
    const methods = METHODS.filter((method) => (isDeclared ? `${method} ${path}` in endpoints : method in handlers))
    return methods.map((method) => ({ name: `${method} ${path}`, file, method, path }))
  })
  const pages = globSync(`app/**/page.${EXTENSIONS}`).map((file) => {
    const path = toRoutePath(file)
    return { name: `PAGE ${path}`, file, method: 'PAGE', path }
  })
  return [...(await Promise.all(endpointRoutes)).flat(), ...pages]
}

function toRoutePath(file: string): string {
  const folders = file.split('/').slice(1, -1)
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join('/')}`
}

export async function importModule(file: string): Promise<Record<string, unknown>> {
  return import(/* @vite-ignore */ `${process.cwd()}/${file}`)
}

/** Lists other files that make Next answer: those of the Pages Router, metadata files, middleware, server actions. */
export function listOtherEntries(): string[] {
  const generated = '{robots,sitemap,manifest,icon,apple-icon,favicon,opengraph-image,twitter-image}'
  const serverActions = globSync('{app,components,lib,server}/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  )
  const others = [`{pages,src}/**/*.${EXTENSIONS}`, `app/**/${generated}*.${EXTENSIONS}`, `middleware.${EXTENSIONS}`]
  return [...globSync(others), ...serverActions]
}
