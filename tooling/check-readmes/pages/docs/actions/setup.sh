export AUTH_SECRET='a secret of at least thirty-two bytes'
sqlite shop.db 'create table accounts (id integer primary key, owner text, balance integer not null);
insert into accounts values (1, null, 100), (2, null, 0)'
serve
sign_up '{"email":"ada@example.com","password":"correct horse battery staple"}'
sqlite shop.db "update accounts set owner = '$(curl -s $URL/auth/session -H "Authorization: Bearer $TOKEN" | jq -r .user.id)' where id = 1"
