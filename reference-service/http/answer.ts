import { type PermittedScope, schoolsWithin } from '../data/scope'
import { damageList } from '../faults/damage-list'
import { type Fault, isListFault } from '../faults/fault'
import type { DataSource } from '../model'
import { createBody, jsonBytes } from './body'
import type { Endpoint } from './endpoints'
import { errorAnswer } from './errors'
import { createListBodies, listWithin } from './list-bodies'
import { sendBody } from './send-body'

/** Answers a permitted request. A list that a fault damages is written anew and plain, the kept answers stay sound. */
export function createAnswer(source: DataSource) {
  const listBody = createListBodies()

  return async (endpoint: Endpoint, scope: PermittedScope, request: Request, faults: readonly Fault[]) => {
    const data = source.current()
    const asked = faults.length > 0 ? new Request(request.url) : request
    if (endpoint === 'highSchool') {
      const school = namedSchool(request.url, schoolsWithin(data, scope))
      return school ? sendBody(createBody(jsonBytes({ name: school.name, id: school.id })), asked) : errorAnswer(404)
    }
    const damages = faults.filter(isListFault)
    if (damages.length === 0) return sendBody(listBody(data, endpoint, scope), asked)
    const list = damages.reduce(damageList, listWithin(data, endpoint, scope))
    return sendBody(createBody(jsonBytes({ [endpoint]: list })), asked)
  }
}

/** The school of the parameter `id`. Given twice it names no school: taking either one would be a guess. */
function namedSchool<S extends { id: string }>(url: string, schools: readonly S[]): S | undefined {
  const ids = new URL(url).searchParams.getAll('id')
  return ids.length === 1 ? schools.find(({ id }) => id === ids[0]) : undefined
}
