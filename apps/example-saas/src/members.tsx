export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
}

export function Members({
  members,
  me,
}: {
  readonly members: readonly Member[]
  readonly me: string
}) {
  return (
    <section className="card" aria-labelledby="members">
      <h2 id="members">Members</h2>
      <ul aria-label="Members">
        {members.map(({ id, email, name, role }) => (
          <li key={id}>
            <span className="person">
              <strong>
                {name || email}
                {id === me && ' (you)'}
              </strong>
              <small>{email}</small>
            </span>
            <span className="role">{role}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
