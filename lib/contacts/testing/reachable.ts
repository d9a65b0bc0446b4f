type Person = { email: string | null; phone: string | null }

export function reachable(people: readonly Person[], from: readonly number[]): Set<number> {
  const seen = new Set(from)
  for (const at of seen) {
    const self = people[at]
    people.forEach(({ email, phone }, index) => {
      if ((email !== null && email === self?.email) || (phone !== null && phone === self?.phone)) seen.add(index)
    })
  }
  return seen
}
