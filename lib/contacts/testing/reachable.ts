/** Finds naively who shares an e-mail or phone with these people, also through others. */
export function reachable(people: readonly Person[], from: readonly number[]): Set<number> {
  const found = new Set(from)
  for (const index of found) {
    const self = people[index]
    people.forEach(({ email, phone }, other) => {
      if ((email !== null && email === self?.email) || (phone !== null && phone === self?.phone)) found.add(other)
    })
  }
  return found
}

type Person = { email: string | null; phone: string | null }
