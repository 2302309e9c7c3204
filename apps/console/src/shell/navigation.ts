/** What the console has, in the order of its sections. */
export const sections = [
  {
    name: 'Watch',
    pages: [
      { name: 'Overview', to: '/' },
      { name: 'Alerts', to: '/alerts' },
      { name: 'Requests', to: '/requests' },
      { name: 'Sessions', to: '/sessions' },
      { name: 'Approvals', to: '/approvals' },
    ],
  },
] as const;
