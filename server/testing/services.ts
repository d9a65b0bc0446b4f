import type { Services } from '@/server/base/services'

/** Makes services of what a test needs. Reading any other service throws an error that names it. */
export function testServices(parts: object): Services {
  return new Proxy(parts, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target)) throw new Error(`this test has no services.${name}`)
      return Reflect.get(target, name, receiver)
    },
  }) as Services
}
