import { readFileSync, writeFileSync } from 'node:fs'

// Adds optional packages of other platforms to the lockfile. npm omits them when the registry it writes against has
// only one platform's, and later cannot install them.

const PATH = 'package-lock.json'
const SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const PROCESSORS = 'arm arm64 ia32 loong64 mips64el ppc64 ppc64le riscv64 s390x wasm32 x64'.split(' ')
const OTHER_NAMES = { windows: 'win32', armv7: 'arm', eabi: 'arm', gnueabihf: 'arm', musleabihf: 'arm' }

const lock = JSON.parse(readFileSync(PATH, 'utf8'))
let added = 0
for (const [holder, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const installed = findInstalled(holder, name)
    const words = new Set(name.split(/[/.-]/).map((word) => OTHER_NAMES[word] ?? word))
    const os = SYSTEMS.filter((system) => words.has(system))
    const version = range.replace(/^[\^~>=]+/, '')
    if (installed && (installed.version === version || os.length === 0)) continue
    const cpu = words.has('universal') ? [] : PROCESSORS.filter((processor) => words.has(processor))
    const platform = { ...(cpu.length > 0 && { cpu }), ...(entry.dev && { dev: true }), optional: true }
    const path = `${installed ? `${holder}/` : ''}node_modules/${name}`
    lock.packages[path] = { version, ...platform, ...(os.length > 0 && { os }) }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages for other platforms added to ${PATH}`)

function findInstalled(holder, name) {
  for (let folder = holder; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const entry = lock.packages[`${folder && `${folder}/`}node_modules/${name}`]
    if (entry || folder === '') return entry
  }
}
