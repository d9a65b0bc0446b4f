import 'server-only'
import { Counter, Gauge, type Registry } from 'prom-client'

/** A gauge without labels, read at each scrape. */
export function single(registry: Registry, name: string, help: string, value: () => number | Promise<number>): void {
  const collect = async function (this: Gauge) {
    this.set(await value())
  }
  registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
}

/** A counter that somebody else keeps, read at each scrape. */
export function keptCounter(registry: Registry, name: string, help: string, value: () => number): void {
  const collect = function (this: Counter) {
    this.reset()
    this.inc(value())
  }
  registry.registerMetric(new Counter({ name, help, registers: [], collect }))
}
