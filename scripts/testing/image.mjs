import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { STANDALONE } from '../build.mjs'

// Builds and runs the image of `Dockerfile` without a registry. The finished build and this machine's own packages
// replace its first stage and its base.

const PARTS = {
  '/usr/local/bin/node': resolve('node_modules/node/bin/node'),
  '/usr/bin/tini-static': '/usr/bin/tini-static',
  '/bin/busybox': '/bin/busybox',
}
const MAX_MB = 300
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6']
const SAFE =
  '--read-only --cap-drop all --security-opt no-new-privileges --tmpfs /tmp:size=16m --memory 1g --pids-limit 256'
/** The limits are low, because machines that may not raise limits refuse those of an engine. */
const LIMITS = '--ulimit nofile=1024:1024 --ulimit nproc=1024:1024'

/** Explains in a line why the image cannot be tested here, or returns null. Under CI it throws if a program is missing. */
export function explainMissingEngine() {
  const missing = ['buildah', 'podman', 'runc'].filter((name) => spawnSync(name, ['--version']).error)
  const lacks = [...missing, ...Object.values(PARTS).filter((path) => !existsSync(path))]
  if (process.getuid?.() !== 0) return 'it takes root'
  if (lacks.length > 0 && process.env.CI === 'true') throw new Error(`Under CI there must be ${lacks.join(', ')}.`)
  if (lacks.length > 0) return `there is no ${lacks.join(', no ')}`
  const engine = createEngine()
  try {
    engine.pack('least', (context) => cpSync(PARTS['/bin/busybox'], join(context, 'busybox')))
    engine.run('localhost/least', '/busybox', 'true')
    return null
  } catch (error) {
    return `this kernel forbids it (${error.message})`
  } finally {
    engine.end()
  }
}

/** Throws unless the image is small, passes `verify`, writes only to its volumes, and ends when it is stopped. */
export async function serveFromImage(settings, verify) {
  const engine = createEngine()
  try {
    const megabytes = engine.build()
    assert.ok(megabytes > 100 && megabytes < MAX_MB, `${megabytes} MB`)
    const variables = Object.entries(settings).flatMap((pair) => ['--env', pair.join('=')])
    const id = engine.run(...variables, 'localhost/intag')
    await verify(`http://127.0.0.1:${settings.PORT}`, () => engine.podman('logs', id))
    engine.podman('healthcheck', 'run', id)
    const tries = 'id -u; touch /data/x /backups/x; touch /app/x 2> /dev/null || echo kept'
    assert.equal(engine.podman('exec', id, 'sh', '-c', tries), '10001\nkept')
    engine.podman('stop', '--time', '15', id)
    assert.equal(engine.podman('inspect', '--format', '{{.State.ExitCode}}', id), '0', engine.podman('logs', id))
  } finally {
    engine.end()
  }
}

function createEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'intag-image-'))
  const store = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay']
  const podman = (...args) => call('podman', [...store, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args])
  const buildImage = (name, context, file, ...args) => {
    const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--quiet', ...args]
    call('buildah', [...store, 'bud', ...options, '--file', file, '--tag', `localhost/${name}`, context])
  }
  /** Builds an image of the files that `fill` puts into its folder. */
  const pack = (name, fill) => {
    const [context, file] = [join(folder, name), join(folder, `${name}.file`)]
    mkdirSync(context)
    fill(context)
    writeFileSync(file, 'FROM scratch\nCOPY . /\n')
    buildImage(name, context, file)
  }
  return {
    podman,
    pack,
    run: (...args) => podman('run', '--detach', '--network', 'host', ...`${SAFE} ${LIMITS}`.split(' '), ...args),
    /** Builds Intag's image and returns its size in MB. */
    build() {
      pack('base', fillBase)
      pack('built', fillBuilt)
      const stages = ['BUILT=localhost/built', 'BASE=localhost/base'].flatMap((stage) => ['--build-arg', stage])
      buildImage('intag', '.', 'Dockerfile', ...stages)
      return Number(podman('image', 'inspect', '--format', '{{.Size}}', 'intag')) / 1e6
    },
    end() {
      spawnSync('podman', [...store, 'rm', '--all', '--force', '--volumes', '--time', '0'])
      // What podman does after a container has ended may mount the folder again.
      for (let tries = 0; tries < 20 && existsSync(folder); tries += 1) {
        spawnSync('umount', ['--recursive', join(folder, 'root/overlay')])
        spawnSync('rm', ['-rf', folder])
        if (existsSync(folder)) spawnSync('sleep', ['0.2'])
      }
    },
  }
}

function fillBase(context) {
  const paths = call('dpkg', ['--listfiles', ...LIBRARIES]).split('\n')
  const files = paths.filter((path) => /^\/(?!usr\/share)/.test(path) && !statSync(path).isDirectory())
  call('cp', ['--no-dereference', '--parents', '--target-directory', context, ...files])
}

function fillBuilt(context) {
  for (const [path, source] of Object.entries(PARTS)) {
    mkdirSync(dirname(join(context, path)), { recursive: true })
    cpSync(source, join(context, path))
  }
  mkdirSync(join(context, 'empty'))
  copyBuild(join(context, 'src/.next/standalone'))
}

/** Copies the finished build, but not the code that running servers compile and keep beside it. */
export function copyBuild(target) {
  const compiled = join(STANDALONE, 'compiled')
  cpSync(STANDALONE, target, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== compiled })
}

function call(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr.trim().split('\n').at(-1)}`)
  return stdout.trim()
}
