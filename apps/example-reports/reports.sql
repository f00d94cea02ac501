-- Psql prints what the files hold now: they are read again when they change.
select to_char(day, 'YYYY-MM') as month, count(*) as orders, sum(total) as total
from orders
group by month
order by month;

select c.country, sum(o.total) as total
from orders o join customers c on c.name = o.customer
group by c.country
order by total desc;
